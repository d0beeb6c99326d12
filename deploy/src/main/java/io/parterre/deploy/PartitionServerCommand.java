package io.parterre.deploy;

import io.parterre.deploy.config.FlagSetting;
import io.parterre.deploy.node.RoleName;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parterre partition-server}: runs one of the processes that keep the data. */
@Command(
        name = "partition-server",
        description = {
            "Runs one of a cluster's partition servers, until SIGTERM or SIGINT. Prints one line",
            "when a manager knows it and each of its replicas knows a leader."
        },
        footer = {
            "  parterre partition-server --config /etc/parterre.yaml",
            "  parterre partition-server --config /etc/parterre.yaml --host 0.0.0.0 \\",
            "      --advertised-host 10.0.0.7 --service-port 10030 --raft-port 10031 --zone west"
        })
final class PartitionServerCommand extends RoleCommand {
    @Mixin private Flags flags;

    PartitionServerCommand() {
        super(RoleName.PARTITION_SERVER);
    }

    @Override
    FlagSettings flags() {
        return flags;
    }

    private static final class Flags implements FlagSettings {
        @Option(
                names = "--id",
                paramLabel = "ID",
                description =
                        "Name of a new server (server.id). Default: random; the folder keeps it.")
        private String id;

        @Option(
                names = "--host",
                paramLabel = "HOST",
                description = {
                    "Address to listen on (server.service.host, server.raft.host, admin.host).",
                    "Default: 127.0.0.1."
                })
        private String host;

        @Option(
                names = "--advertised-host",
                paramLabel = "HOST",
                description = {
                    "Host that others reach this server by (server.advertisedHost).",
                    "Default: the one it listens on."
                })
        private String advertisedHost;

        @Option(
                names = "--service-port",
                paramLabel = "N",
                description = "Port for front ends and other servers (server.service.port).")
        private String servicePort;

        @Option(
                names = "--raft-port",
                paramLabel = "N",
                description = "Port for the Raft of other servers (server.raft.port).")
        private String raftPort;

        @Option(
                names = "--zone",
                paramLabel = "NAME",
                description = "Where it stands (server.zone); replicas are spread over zones.")
        private String zone;

        @Override
        public List<FlagSetting> settings() {
            return Stream.of(
                            FlagSettings.of("--id", "server.id", id),
                            FlagSettings.of("--host", "server.service.host", host),
                            FlagSettings.of("--host", "server.raft.host", host),
                            FlagSettings.of("--host", "admin.host", host),
                            FlagSettings.of(
                                    "--advertised-host", "server.advertisedHost", advertisedHost),
                            FlagSettings.of("--service-port", "server.service.port", servicePort),
                            FlagSettings.of("--raft-port", "server.raft.port", raftPort),
                            FlagSettings.of("--zone", "server.zone", zone))
                    .flatMap(List::stream)
                    .toList();
        }
    }
}

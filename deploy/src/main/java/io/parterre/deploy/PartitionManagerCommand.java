package io.parterre.deploy;

import io.parterre.deploy.config.FlagSetting;
import io.parterre.deploy.node.RoleName;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parterre partition-manager}: runs one of the processes that keep the cluster's map. */
@Command(
        name = "partition-manager",
        description = {
            "Runs one of a cluster's partition managers, until SIGTERM or SIGINT. Prints one line",
            "when it knows who of them leads. Which address is its own it reads from the list of all."
        },
        footer = {
            "  parterre partition-manager --config /etc/parterre.yaml --id m1",
            "  parterre partition-manager --id m1 --host 10.0.0.1 --data-dir /var/lib/parterre \\",
            "      --managers \"m1=10.0.0.1:10020/10.0.0.1:10021;m2=10.0.0.2:10020/10.0.0.2:10021;\\",
            "                  m3=10.0.0.3:10020/10.0.0.3:10021\""
        })
final class PartitionManagerCommand extends RoleCommand {
    @Mixin private Flags flags;

    PartitionManagerCommand() {
        super(RoleName.PARTITION_MANAGER);
    }

    @Override
    FlagSettings flags() {
        return flags;
    }

    private static final class Flags implements FlagSettings {
        @Option(
                names = "--id",
                paramLabel = "ID",
                description = "Which of the managers this one is (manager.id).")
        private String id;

        @Option(
                names = "--host",
                paramLabel = "HOST",
                description = {
                    "Address to listen on (manager.raft.host, manager.service.host, admin.host).",
                    "Default: 127.0.0.1."
                })
        private String host;

        @Option(
                names = "--bootstrap-without",
                paramLabel = "IDS",
                description = {
                    "Managers, separated by commas, that are known to hold nothing and need not answer",
                    "when the managers are founded (manager.bootstrapWithout)."
                })
        private String bootstrapWithout;

        @Override
        public List<FlagSetting> settings() {
            return Stream.of(
                            FlagSettings.of("--id", "manager.id", id),
                            FlagSettings.of(
                                    "--bootstrap-without",
                                    "manager.bootstrapWithout",
                                    bootstrapWithout),
                            FlagSettings.of("--host", "manager.raft.host", host),
                            FlagSettings.of("--host", "manager.service.host", host),
                            FlagSettings.of("--host", "admin.host", host))
                    .flatMap(List::stream)
                    .toList();
        }
    }
}

package io.parterre.deploy.node;

import io.grpc.ManagedChannel;
import io.parterre.deploy.admin.Readiness;
import io.parterre.deploy.config.HostPort;
import io.parterre.endpoint.ManagerEndpoints;
import io.parterre.range.NodeId;
import io.parterre.server.PartitionServer;
import io.parterre.server.PartitionServerConfig;
import io.parterre.server.rpc.NodeChannels;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import io.parterre.tls.TlsEnds;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A partition server in this process, served to the rest of the cluster. */
final class ServerRole implements Readiness {
    /** A leadership transfer takes about a tenth of a second, and all run at once. */
    private static final Duration HAND_OVER_TIMEOUT = Duration.ofSeconds(2);

    private final PartitionServer server;

    private ServerRole(PartitionServer server) {
        this.server = server;
    }

    /**
     * Restores the server's replicas and reports to the managers.
     *
     * @param folder told the cluster's feature level
     * @param listens where its services listen
     */
    static ServerRole start(
            NodeShell shell,
            DataFolder folder,
            PartitionServerConfig config,
            HostPort listens,
            ManagerEndpoints managers)
            throws IOException {
        PartitionServer server =
                shell.add(
                        "partition server",
                        PartitionServer.start(
                                config,
                                managers,
                                new Nodes(shell),
                                shell.clock(),
                                shell.meters(),
                                shell.tracer(),
                                folder::raise,
                                failure ->
                                        shell.failed(
                                                "partition server failed at " + failure.operation(),
                                                failure.cause())));
        shell.add("services of the server", shell.serve(listens, server.services()));
        // Closed first, so that no one has to wait for an election.
        shell.add("leadership of the server", () -> server.transferLeadership(HAND_OVER_TIMEOUT));
        // Closed even earlier: the server serves and leads as long as it waits for the permit.
        shell.add("disruption permit of the server", server::awaitStopPermit);
        return new ServerRole(server);
    }

    /** Connections to the other servers, verified by certificate where processes have one. */
    private record Nodes(NodeShell shell) implements NodeChannels {
        @Override
        public ManagedChannel open(NodeId nodeId, String serviceAddress) {
            return shell.transport()
                    .connect(
                            HostPort.parse(serviceAddress),
                            PeerName.of(PeerRole.SERVER, nodeId.value()));
        }

        @Override
        public Optional<TlsEnds> raft() {
            return shell.raftTls(PeerRole.SERVER);
        }
    }

    String nodeId() {
        return server.nodeId().value();
    }

    @Override
    public CompletionStage<Optional<String>> missing() {
        return CompletableFuture.completedFuture(server.missing());
    }
}

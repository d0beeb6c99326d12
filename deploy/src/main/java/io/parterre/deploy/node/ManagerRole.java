package io.parterre.deploy.node;

import io.grpc.ManagedChannel;
import io.parterre.deploy.admin.Readiness;
import io.parterre.deploy.config.HostPort;
import io.parterre.manager.PartitionManager;
import io.parterre.manager.PartitionManagerConfig;
import io.parterre.manager.rpc.PeerChannels;
import io.parterre.release.Release;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import io.parterre.tls.TlsEnds;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A partition manager in this process, served to the rest of the cluster. */
final class ManagerRole implements Readiness {
    /** Short, because the other managers would elect a leader within seconds anyway. */
    private static final Duration HAND_OVER_TIMEOUT = Duration.ofSeconds(2);

    private final PartitionManager manager;

    private ManagerRole(PartitionManager manager) {
        this.manager = manager;
    }

    /**
     * Restores the manager's map and joins the other managers.
     *
     * @param listens where its service listens
     */
    static ManagerRole start(
            NodeShell shell, DataFolder folder, PartitionManagerConfig config, HostPort listens)
            throws IOException, StartException {
        ManagerIdentity.claim(folder, config.nodeId());
        PartitionManager manager =
                shell.add(
                        "partition manager",
                        PartitionManager.start(
                                config,
                                new Peers(shell),
                                shell.clock(),
                                shell.meters(),
                                Release.running(shell.version()),
                                folder::raise,
                                cause -> shell.failed("partition manager failed", cause)));
        shell.add("manager service", shell.serve(listens, manager.services()));
        // Closed first, so that no one has to wait for an election.
        shell.add("leadership of the managers", () -> manager.handOver(HAND_OVER_TIMEOUT));
        return new ManagerRole(manager);
    }

    /** Connections to the other managers, verified by certificate where processes have one. */
    private record Peers(NodeShell shell) implements PeerChannels {
        @Override
        public ManagedChannel connect(String serviceAddress) {
            return shell.transport()
                    .connect(HostPort.parse(serviceAddress), PeerName.any(PeerRole.MANAGER));
        }

        @Override
        public Optional<TlsEnds> raft() {
            return shell.raftTls(PeerRole.MANAGER);
        }
    }

    /** Completes when this manager leads for the first time and its accounts exist. */
    CompletableFuture<Void> leads() {
        return manager.ready();
    }

    @Override
    public CompletionStage<Optional<String>> missing() {
        return CompletableFuture.completedFuture(manager.missing());
    }
}

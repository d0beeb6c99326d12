package io.parterre.deploy.node;

import io.parterre.deploy.admin.Readiness;
import io.parterre.deploy.config.HostPort;
import io.parterre.manager.PartitionManager;
import io.parterre.manager.PartitionManagerConfig;
import io.parterre.release.Release;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A partition manager in this process, served to the rest of the cluster. */
final class ManagerRole implements Readiness {
    /** The others would elect one of them within seconds anyway. */
    private static final Duration HAND_OVER_TIMEOUT = Duration.ofSeconds(2);

    private final PartitionManager manager;

    private ManagerRole(PartitionManager manager) {
        this.manager = manager;
    }

    /**
     * Restores its map and joins the others.
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
                                address -> shell.transport().connect(HostPort.parse(address)),
                                shell.clock(),
                                shell.meters(),
                                Release.running(shell.version()),
                                folder::raise,
                                cause -> shell.failed("partition manager failed", cause)));
        shell.add("manager service", shell.serve(listens, manager.services()));
        // Closed first: nobody is to wait for an election.
        shell.add("leadership of the managers", () -> manager.handOver(HAND_OVER_TIMEOUT));
        return new ManagerRole(manager);
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

package io.parterre.server;

import io.parterre.concurrent.DaemonThreads;
import io.parterre.server.node.Replicas;
import io.parterre.server.store.StoreFailure;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports once, with the first failure, that the node can no longer keep its promises. Safe for any
 * thread.
 */
final class NodeFailure implements Consumer<StoreFailure> {
    private static final Logger LOG = LoggerFactory.getLogger(NodeFailure.class);
    private static final Duration SETTLED_WITHIN = Duration.ofSeconds(1);

    private final Supplier<Optional<Replicas>> replicas;
    private final Consumer<String> onDamage;
    private final Consumer<StoreFailure> onFailure;
    private final AtomicBoolean failed = new AtomicBoolean();

    /**
     * Starts without a failure.
     *
     * @param onDamage receives the damage first, if rows on disk are damaged
     */
    NodeFailure(
            Supplier<Optional<Replicas>> replicas,
            Consumer<String> onDamage,
            Consumer<StoreFailure> onFailure) {
        this.replicas = replicas;
        this.onDamage = onDamage;
        this.onFailure = onFailure;
    }

    boolean hasFailed() {
        return failed.get();
    }

    /** Takes a failure; only the first counts. Never blocks except for the log. */
    @Override
    public void accept(StoreFailure failure) {
        if (failed.compareAndSet(false, true)) {
            // Runs on a thread of its own. The listener may close the node, which waits for threads
            // such as the one that found the failure.
            DaemonThreads.unstarted(
                            "partition-failure",
                            () -> {
                                if (!failure.isOfMemory()) {
                                    settle();
                                }
                                failure.damage().ifPresent(onDamage);
                                onFailure.accept(failure);
                            })
                    .start();
            // Logged last, because the log file may be on the disk that does not answer.
            LOG.error("node failed operation={}", failure.operation(), failure.cause());
        }
    }

    /**
     * Records that the entries being applied do not end the node. Waits only a limited time,
     * because the disk may hang.
     */
    private void settle() {
        Thread settling =
                DaemonThreads.unstarted(
                        "partition-settle", () -> replicas.get().ifPresent(Replicas::settle));
        settling.start();
        try {
            settling.join(SETTLED_WITHIN.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the reason why the node cannot serve; empty: it has not failed. */
    Optional<String> trouble() {
        return failed.get() ? Optional.of("its store has failed") : Optional.empty();
    }
}

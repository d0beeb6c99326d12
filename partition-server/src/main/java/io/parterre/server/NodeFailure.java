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

/** Tells once, of the first failure, that the node can no longer keep what it promised. */
final class NodeFailure implements Consumer<StoreFailure> {
    private static final Logger LOG = LoggerFactory.getLogger(NodeFailure.class);
    private static final Duration SETTLED_WITHIN = Duration.ofSeconds(1);

    private final Supplier<Optional<Replicas>> replicas;
    private final Consumer<String> onDamage;
    private final Consumer<StoreFailure> onFailure;
    private final AtomicBoolean failed = new AtomicBoolean();

    /**
     * No failure yet.
     *
     * @param onDamage told first if rows on disk are damaged
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

    /** Never blocks but for the log. */
    @Override
    public void accept(StoreFailure failure) {
        if (failed.compareAndSet(false, true)) {
            // A thread of its own: the listener may close the node, and the thread that found
            // the failure is one of those that closing waits for.
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
            // Last: the log file may be on the disk that does not answer.
            LOG.error("node failed operation={}", failure.operation(), failure.cause());
        }
    }

    /** It is not what is applied that ends the node. Waits for a disk that hangs only so long. */
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

    /** Empty: the node has not failed. */
    Optional<String> trouble() {
        return failed.get() ? Optional.of("its store has failed") : Optional.empty();
    }
}

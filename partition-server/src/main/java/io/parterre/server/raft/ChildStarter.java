package io.parterre.server.raft;

import io.parterre.crash.CrashHook;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.crash.CrashPoint;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings children of splits to life: adds their Raft group, and where the parent is led has them
 * led too, at once. On a thread of its own, since the one that applies the split must not wait.
 * What is lost here, at a failure or an end of the process, is made up for by {@link
 * Replicas#mend}, the next start, and an election after a timeout. Safe for any thread.
 */
final class ChildStarter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChildStarter.class);

    /** By then an election has come of itself. */
    private static final Duration ELECTION_WAIT_MAX = Duration.ofSeconds(5);

    private static final Duration ELECTION_POLL = Duration.ofMillis(5);
    private static final Duration HAND_OVER_WAIT_MAX = Duration.ofSeconds(1);
    private static final Duration HAND_OVER_POLL = Duration.ofMillis(20);

    private final Replicas replicas;
    private final LongSupplier nanoTicker;
    private final CrashHook<CrashPoint> crash;
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    task -> {
                        Thread created = new Thread(task, "child-start");
                        created.setDaemon(true);
                        return created;
                    });

    /**
     * ChildStarter on a node.
     *
     * @param crash told of each moment, for tests that end the node there
     */
    ChildStarter(Replicas replicas, LongSupplier nanoTicker, CrashHook<CrashPoint> crash) {
        this.replicas = replicas;
        this.nanoTicker = nanoTicker;
        this.crash = crash;
    }

    /** Begins with the children of one split, whose rows are there; does not wait. */
    void begin(List<RangeId> childIds, RangeId parentId) {
        try {
            thread.execute(() -> run(childIds, parentId));
        } catch (RejectedExecutionException closing) {
            LOG.debug("left to the next start rangeIds={}", childIds, closing);
        }
    }

    /** All have their groups before the first is led: other members may need this one's vote. */
    private void run(List<RangeId> childIds, RangeId parentId) {
        List<Replica> alive = new ArrayList<>();
        for (RangeId childId : childIds) {
            // Empty: not born on this node.
            replicas.find(childId).filter(this::hasJoined).ifPresent(alive::add);
        }
        if (replicas.find(parentId).filter(Replica::isLeading).isPresent()) {
            try {
                elect(alive);
            } catch (RuntimeException failure) {
                cutShort(childIds, failure);
            }
        }
    }

    private void cutShort(List<RangeId> childIds, Exception failure) {
        if (thread.isShutdown()) {
            LOG.debug("child start cut short at close rangeIds={}", childIds, failure);
        } else {
            LOG.warn("child not started rangeIds={}", childIds, failure);
        }
    }

    private boolean hasJoined(Replica child) {
        try {
            replicas.joinChild(child);
            return true;
        } catch (IOException | RuntimeException failure) {
            cutShort(List.of(child.descriptor().rangeId()), failure);
            return false;
        }
    }

    /**
     * The others may not have their part of the groups yet: then nobody answers, and it is tried
     * again.
     */
    private void elect(List<Replica> children) {
        long startNanos = nanoTicker.getAsLong();
        List<Replica> waiting = new ArrayList<>(children);
        while (!waiting.isEmpty()
                && nanoTicker.getAsLong() - startNanos < ELECTION_WAIT_MAX.toNanos()
                && !Thread.currentThread().isInterrupted()) {
            waiting.removeIf(child -> isLed(child, startNanos));
            for (Replica child : waiting) {
                if (child.leaderHint().isEmpty()) {
                    child.standForFirstElection();
                }
            }
            LockSupport.parkNanos(waiting.isEmpty() ? 0 : ELECTION_POLL.toNanos());
        }
    }

    private boolean isLed(Replica child, long startNanos) {
        if (!child.isLeading()) {
            return child.leaderHint().filter(leader -> !leader.equals(child.selfId())).isPresent();
        }
        LOG.info(
                "child leads rangeId={} tookMillis={}",
                child.descriptor().rangeId(),
                Duration.ofNanos(nanoTicker.getAsLong() - startNanos).toMillis());
        crash.reached(CrashPoint.CHILD_LED);
        replicas.led()
                .ifPresent(
                        led ->
                                led.takeChildLeader(child.descriptor().rangeId())
                                        .ifPresent(target -> handOver(led, child, target)));
        return true;
    }

    /** As soon as the other one is level; if that takes long, it is left to the manager. */
    private void handOver(LedRanges led, Replica child, NodeId target) {
        long startNanos = nanoTicker.getAsLong();
        while (child.isLeading()
                && !target.value().equals(child.selfId())
                && nanoTicker.getAsLong() - startNanos < HAND_OVER_WAIT_MAX.toNanos()
                && !Thread.currentThread().isInterrupted()) {
            led.transferLead(child, child.descriptor().generation(), target);
            LockSupport.parkNanos(HAND_OVER_POLL.toNanos());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(10, TimeUnit.SECONDS)) {
                LOG.warn("a child still starts at close");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

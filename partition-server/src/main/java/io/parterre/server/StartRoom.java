package io.parterre.server;

import io.parterre.concurrent.DaemonThreads;
import io.parterre.server.node.Replicas;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Room on the disk that a start needs, and the wait for it. Safe for any thread. */
final class StartRoom {
    private static final Logger LOG = LoggerFactory.getLogger(StartRoom.class);
    private static final Duration POLL = Duration.ofSeconds(1);

    private final Wiring wiring;
    private volatile boolean waiting;

    StartRoom(Wiring wiring) {
        this.wiring = wiring;
    }

    /**
     * Returns whether the disk is so full that a start would end at its first write, and so would
     * the next start. Deletes the reserve first.
     */
    boolean isLacking() {
        DiskSpaceConfig config = wiring.config().diskSpace();
        try {
            if (!config.isFull(wiring.space().look())) {
                return false;
            }
            new SpaceReserve(wiring.config().dataFolder()).giveBack();
            return config.isFull(wiring.space().look());
        } catch (IOException failure) {
            // The start itself reports what is wrong with the disk.
            LOG.warn("room on the disk cannot be told", failure);
            return false;
        }
    }

    /**
     * Waits for room. The node serves nothing and reports to no manager until then.
     *
     * @param closed whether to stop the wait
     * @param start called once there is room, on a thread of its own
     */
    void await(BooleanSupplier closed, Runnable start) {
        LOG.error("disk full, the start waits for room folder={}", wiring.config().dataFolder());
        waiting = true;
        ScheduledExecutorService timer = ServerThreads.newTimer("partition-room");
        timer.scheduleWithFixedDelay(
                () -> {
                    if (closed.getAsBoolean()) {
                        timer.shutdown();
                    } else if (!isLacking()) {
                        timer.shutdown();
                        // Runs on a thread of its own, because a timer would hide an exception that
                        // ends the start.
                        DaemonThreads.unstarted("partition-start", start).start();
                    }
                },
                POLL.toMillis(),
                POLL.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** Records that the start is over. */
    void started() {
        waiting = false;
    }

    /**
     * Limits the entries of these replicas. Groups take entries as soon as they have joined, before
     * the disk is watched.
     */
    void limitEntries(Replicas hosted) {
        try {
            hosted.admission()
                    .limitEntries(wiring.config().diskSpace().entryBytes(wiring.space().look()));
        } catch (IOException failure) {
            LOG.warn("room on the disk cannot be told", failure);
        }
    }

    /** Returns the reason why the node has not started; empty: the start does not wait for room. */
    Optional<String> trouble() {
        return waiting
                ? Optional.of("its disk is full, it starts once there is room")
                : Optional.empty();
    }
}

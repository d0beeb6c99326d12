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
     * Whether the disk is so full that a start would end at its first write, and the next one as
     * well. What is kept for such times is given back first.
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
            // The start itself tells what is wrong with it.
            LOG.warn("room on the disk cannot be told", failure);
            return false;
        }
    }

    /**
     * The node serves nothing until then, and is heard of by nobody.
     *
     * @param closed whether to wait no longer
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
                        // What ends it has to be seen: a timer keeps that to itself.
                        DaemonThreads.unstarted("partition-start", start).start();
                    }
                },
                POLL.toMillis(),
                POLL.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** The start is over. */
    void started() {
        waiting = false;
    }

    /** Groups take entries as soon as they have joined, before the disk is watched. */
    void limitEntries(Replicas hosted) {
        try {
            hosted.admission()
                    .limitEntries(wiring.config().diskSpace().entryBytes(wiring.space().look()));
        } catch (IOException failure) {
            LOG.warn("room on the disk cannot be told", failure);
        }
    }

    /** Empty: the start waits for no room. */
    Optional<String> trouble() {
        return waiting
                ? Optional.of("its disk is full, it starts once there is room")
                : Optional.empty();
    }
}

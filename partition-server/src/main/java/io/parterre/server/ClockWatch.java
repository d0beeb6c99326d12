package io.parterre.server;

import io.parterre.error.BusyReason;
import io.parterre.proto.manager.HeartbeatResponse;
import io.parterre.server.clock.ClockTrust;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.node.Replicas;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a node whose clock is far ahead from leading. Such a leader would stamp entries with that
 * time, and a range's time is set back only minutes later. Only managers can tell that a clock is
 * ahead; a clock alone cannot. Until the managers say that the clock is right again, this class
 * refuses writes and transfers leadership. Reads go on meanwhile. Safe for any thread.
 */
final class ClockWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClockWatch.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final Replicas replicas;
    private final LeadershipHandOver handOver;
    private final ScheduledExecutorService thread;
    private final LongSupplier nanoTicker;
    private volatile ClockState state = ClockState.RIGHT;
    private volatile long toldNanos;

    // Transfers tried so far. Confined to the watch's thread.
    private int times;

    /**
     * Makes a watch that does not run yet.
     *
     * @param thread the watch's own from here on
     */
    ClockWatch(
            Replicas replicas,
            LeadershipHandOver handOver,
            LongSupplier nanoTicker,
            PartitionServerMetrics metrics,
            ScheduledExecutorService thread) {
        this.replicas = replicas;
        this.nanoTicker = nanoTicker;
        this.toldNanos = nanoTicker.getAsLong();
        this.handOver = handOver;
        this.thread = thread;
        metrics.gauge(
                "partition_server_clock_ahead_seconds",
                "How far the clock is ahead of what most say, if that is too far to lead; 0: it is"
                        + " not",
                this,
                watch -> watch.state.ahead().toSeconds());
    }

    /**
     * Starts the watch, which acts at each interval because the node may have gained a replica or a
     * leadership.
     */
    void start() {
        thread.scheduleWithFixedDelay(
                this::act, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Takes the judgement of the clock from a manager's answer. Refuses writes before it returns,
     * if the clock is too far ahead.
     */
    void heard(HeartbeatResponse answer) {
        ClockState before = state;
        toldNanos = nanoTicker.getAsLong();
        state =
                before.told(
                        answer.getClockJudged(),
                        Duration.ofMillis(Math.max(0, answer.getClockAheadMillis())),
                        answer.getClockAgrees());
        if (state.mayLead() == before.mayLead()) {
            return;
        }
        refuse();
        if (state.mayLead()) {
            LOG.info("clock is right again");
        } else {
            LOG.warn(
                    "clock is ahead of the others', leadership is transferred aheadMillis={}",
                    state.ahead().toMillis());
        }
        if (!thread.isShutdown()) {
            thread.execute(this::act);
        }
    }

    /** Returns the time by which the clock is too far ahead; zero: the node may lead. */
    Duration ahead() {
        return state.ahead();
    }

    /** Returns whether the clock agrees with most clocks, as far as known. */
    ClockTrust trust() {
        return state.trust(Duration.ofNanos(nanoTicker.getAsLong() - toldNanos));
    }

    /** Returns the reason why the node should not lead; empty: it may. */
    Optional<String> trouble() {
        ClockState now = state;
        return now.mayLead()
                ? Optional.empty()
                : Optional.of(
                        "its clock is "
                                + now.ahead().toSeconds()
                                + " s ahead of what most clocks say, so it leads nothing");
    }

    private void refuse() {
        replicas.admission().refuseWrites(BusyReason.CLOCK, !state.mayLead());
    }

    private void act() {
        try {
            refuse();
            if (!state.mayLead()) {
                handOver.of(rangeId -> true, times++);
            } else if (times > 0) {
                times = 0;
                replicas.stalls().allowCandidacy();
            }
        } catch (RuntimeException failure) {
            // An exception thrown on would end the repeated task.
            LOG.warn("clock watch hindered", failure);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}

package io.parterre.server;

import io.parterre.server.clock.ClockTrust;
import io.parterre.server.node.Replicas;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Repeated tasks for replicas, until the threads are closed. */
final class UpkeepSchedule {
    private static final Duration LEASE_NOTE_INTERVAL = Duration.ofMillis(500);
    private static final Duration RAFT_WATCH_INTERVAL = Duration.ofSeconds(1);
    private static final Duration ALIGN_INTERVAL = Duration.ofSeconds(1);
    private static final Duration RECORDS_INTERVAL = Duration.ofSeconds(1);
    private static final Duration TRIM_INTERVAL = Duration.ofSeconds(30);

    /** A process that ends later than this is in no crash loop. */
    private static final Duration SETTLED_AFTER = Duration.ofMinutes(5);

    private UpkeepSchedule() {}

    /**
     * Starts the tasks.
     *
     * @param clock returns what is known of the node's clock; empty: nothing
     * @param records checks whether changes are still to be recorded
     */
    static void start(
            Replicas hosted,
            ServerThreads threads,
            Supplier<Optional<ClockTrust>> clock,
            Runnable records) {
        every(RECORDS_INTERVAL, threads.upkeep(), records);
        every(LEASE_NOTE_INTERVAL, threads.timer(), hosted.upkeep()::noteLeases);
        every(RAFT_WATCH_INTERVAL, threads.timer(), hosted.upkeep()::watchRaft);
        every(ALIGN_INTERVAL, threads.timer(), hosted.upkeep()::alignGroups);
        threads.upkeep().schedule(hosted::settle, SETTLED_AFTER.toMillis(), TimeUnit.MILLISECONDS);
        every(
                TRIM_INTERVAL,
                threads.upkeep(),
                () -> {
                    hosted.logs().trimLogs();
                    hosted.upkeep().forgetFences();
                    clock.get().ifPresent(hosted.upkeep()::resetClocks);
                });
    }

    private static void every(Duration interval, ScheduledExecutorService thread, Runnable work) {
        thread.scheduleWithFixedDelay(
                work, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }
}

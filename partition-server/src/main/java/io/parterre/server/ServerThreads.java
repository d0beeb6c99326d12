package io.parterre.server;

import io.parterre.concurrent.Alarm;
import io.parterre.concurrent.DaemonThreads;
import io.parterre.server.rpc.TrampolineExecutor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads that the parts of a node share. None of them keeps the process alive. */
final class ServerThreads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServerThreads.class);

    private final ExecutorService workerThreads = newWorkers();
    private final TrampolineExecutor workers = new TrampolineExecutor(workerThreads);
    private final ScheduledExecutorService timer = newTimer("partition-timer");

    /** A separate thread from the timer, because alarms may wait for Raft, and Raft for a disk. */
    private final ScheduledExecutorService alarms = newTimer("partition-alarm");

    private final Alarm alarm = Alarm.of(alarms, new CompletableFuture<Void>().defaultExecutor());
    private final ScheduledExecutorService upkeep = newTimer("partition-upkeep");

    /** Returns the threads that pack commands and send answers; nothing blocks here. */
    TrampolineExecutor workers() {
        return workers;
    }

    /** Returns the timer for tasks that must not be late; nothing blocks here. */
    ScheduledExecutorService timer() {
        return timer;
    }

    /** Returns the alarm for tasks that start after a delay and then may take a while. */
    Alarm alarm() {
        return alarm;
    }

    /** Returns the thread for tasks that wait for the disk. */
    ScheduledExecutorService upkeep() {
        return upkeep;
    }

    private static void shutDown(ExecutorService threads) {
        threads.shutdown();
        if (!DaemonThreads.awaitEnd(threads, Duration.ofSeconds(10))) {
            LOG.warn("threads still run at close");
        }
    }

    /**
     * Makes the threads that pack commands and send answers. Each range and each stream has at most
     * one task queued, which bounds the queue.
     */
    private static ExecutorService newWorkers() {
        int count = Math.max(2, Runtime.getRuntime().availableProcessors());
        return new ThreadPoolExecutor(
                count,
                count,
                30,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                DaemonThreads.numbered("partition-worker"));
    }

    /**
     * Makes a timer with a thread of its own, for tasks that a hanging disk holds up or for which
     * the other parts of the node must not wait. Its owner shuts it down.
     */
    static ScheduledExecutorService newTimer(String name) {
        return newTimer(DaemonThreads.named(name));
    }

    /** Makes such a timer for tasks that run only while the processors have nothing else to do. */
    static ScheduledExecutorService newIdleTimer(String name) {
        return newTimer(
                task -> {
                    Thread created = DaemonThreads.unstarted(name, task);
                    created.setPriority(Thread.MIN_PRIORITY);
                    return created;
                });
    }

    private static ScheduledExecutorService newTimer(ThreadFactory threads) {
        ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(1, threads);
        scheduler.setRemoveOnCancelPolicy(true);
        // Otherwise a close would wait for tasks that are due in minutes.
        scheduler.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        return scheduler;
    }

    @Override
    public void close() {
        shutDown(timer);
        shutDown(alarms);
        shutDown(workerThreads);
        shutDown(upkeep);
    }
}

package io.parterre.server.raft;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/** An executor whose tasks run when a test says so, on its thread. For one thread. */
final class QueuedTasks extends AbstractExecutorService {
    private final Queue<Runnable> waiting = new ArrayDeque<>();

    @Override
    public void execute(Runnable task) {
        waiting.add(task);
    }

    int size() {
        return waiting.size();
    }

    /** Runs the task that has waited for longest; there has to be one. */
    void runNext() {
        waiting.remove().run();
    }

    /** Runs what waits, and what is added by that. */
    void run() {
        while (!waiting.isEmpty()) {
            runNext();
        }
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return true;
    }
}

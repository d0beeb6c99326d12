package io.parterre.server.rpc;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Runs the tasks that a task hands over on that task's own thread, as soon as it has ended. Answers
 * that a task gives one by one therefore leave as one message, which costs as much as a single
 * answer, and no other thread is woken. Tasks handed over after the task has ended go to the
 * underlying threads, so that no range and no stream keeps a thread. Safe for any thread.
 */
public final class TrampolineExecutor implements Executor {
    private final Executor threads;

    /** Tasks handed over by the task that runs on this thread, if it was started here. */
    private final ThreadLocal<List<Runnable>> handedOver = new ThreadLocal<>();

    /**
     * Makes an executor.
     *
     * @param threads run everything that is not handed over by a task; if they refuse a task, so
     *     does this executor
     */
    public TrampolineExecutor(Executor threads) {
        this.threads = threads;
    }

    @Override
    public void execute(Runnable task) {
        List<Runnable> next = handedOver.get();
        if (next == null) {
            threads.execute(() -> run(task));
        } else {
            next.add(task);
        }
    }

    /**
     * Runs a task of other threads on the current thread, and then the tasks that it has handed
     * over.
     */
    void run(Runnable task) {
        List<Runnable> next = new ArrayList<>();
        handedOver.set(next);
        try {
            task.run();
        } finally {
            handedOver.remove();
            runAll(next.iterator());
        }
    }

    /**
     * A task that fails does not stop the tasks after it; a caller that waits for them would hang.
     */
    private void runAll(Iterator<Runnable> left) {
        try {
            while (left.hasNext()) {
                left.next().run();
            }
        } finally {
            if (left.hasNext()) {
                threads.execute(() -> runAll(left));
            }
        }
    }
}

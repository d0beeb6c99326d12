package io.parterre.server.rpc;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Runs what a task hands to it on the task's own thread, as soon as the task has ended. Answers
 * that a task gives one by one so leave as one message, which costs as much as one of them alone,
 * and no other thread is woken for it. What is handed over after the task has ended goes to the
 * threads behind, so that no range and no stream keeps a thread. Safe for any thread.
 */
public final class TrampolineExecutor implements Executor {
    private final Executor threads;

    /** Of the task that runs on this thread, if it was started here. */
    private final ThreadLocal<List<Runnable>> handedOver = new ThreadLocal<>();

    /**
     * An executor.
     *
     * @param threads run everything that no task hands over; may refuse, and then this does
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

    /** Runs a task of other threads here and now, and then what it has handed over. */
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
     * One that fails keeps none of the others from their turn: a caller that waits for them would
     * hang.
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

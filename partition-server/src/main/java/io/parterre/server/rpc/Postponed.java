package io.parterre.server.rpc;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests that cannot be answered yet. Each is tried again as soon as something has changed at
 * some replica of the node, and after a pause at the latest, since a lease that returns tells
 * nobody. Safe for any thread; never blocks.
 */
final class Postponed {
    private static final Logger LOG = LoggerFactory.getLogger(Postponed.class);

    private final ScheduledExecutorService timer;
    private final Duration pauseMax;
    private final Set<Request> waiting = ConcurrentHashMap.newKeySet();

    /**
     * None yet.
     *
     * @param timer tries them again
     * @param pauseMax until one is tried again though nothing has changed
     */
    Postponed(ScheduledExecutorService timer, Duration pauseMax) {
        this.timer = timer;
        this.pauseMax = pauseMax;
    }

    /** Tried again once, by the thread that comes first. */
    private final class Request implements Runnable {
        private final Runnable again;

        Request(Runnable again) {
            this.again = again;
        }

        @Override
        public void run() {
            if (waiting.remove(this)) {
                again.run();
            }
        }
    }

    /**
     * Has a request tried again, once.
     *
     * @return has it tried at once, unless it has been; never blocks
     * @throws RejectedExecutionException if the node is closing: it is not tried again
     */
    Runnable add(Runnable again) {
        Request request = new Request(again);
        waiting.add(request);
        try {
            timer.schedule(request, pauseMax.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closing) {
            if (waiting.remove(request)) {
                throw closing;
            }
        }
        return () -> soon(request);
    }

    /**
     * Has a call tried again; if the node is closing, the answer is that it does not lead.
     *
     * @return has it tried at once, unless it has been; never blocks
     */
    Runnable add(Call call, Runnable again) {
        try {
            return add(() -> call.answering(again));
        } catch (RejectedExecutionException closing) {
            LOG.debug("request not retried: the node is closing", closing);
            call.answer(RangeAnswers.notLeader(Optional.empty()));
            return () -> {};
        }
    }

    private void soon(Request request) {
        try {
            timer.execute(request);
        } catch (RejectedExecutionException closing) {
            LOG.debug("request not retried: the node is closing", closing);
        }
    }

    /** Something has changed. */
    void wake() {
        if (waiting.isEmpty()) {
            // Nearly always; to walk through an empty set that was large once takes long.
            return;
        }
        for (Request request : waiting) {
            try {
                timer.execute(request);
            } catch (RejectedExecutionException closing) {
                // What the timer still has to do, it drops as well.
                return;
            }
        }
    }
}

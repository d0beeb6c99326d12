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
 * Requests that cannot be answered yet. Each request is retried as soon as some replica of the node
 * has changed, and after a pause at the latest, because a lease that returns wakes nobody. Safe for
 * any thread; never blocks.
 */
final class Postponed {
    private static final Logger LOG = LoggerFactory.getLogger(Postponed.class);

    private final ScheduledExecutorService timer;
    private final Duration pauseMax;
    private final Set<Request> waiting = ConcurrentHashMap.newKeySet();

    /**
     * Starts without requests.
     *
     * @param timer retries the requests
     * @param pauseMax time after which a request is retried though nothing has changed
     */
    Postponed(ScheduledExecutorService timer, Duration pauseMax) {
        this.timer = timer;
        this.pauseMax = pauseMax;
    }

    /** Retried once, by the thread that comes first. */
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
     * Registers a request that is retried once.
     *
     * @return retries the request at once, unless that has happened; never blocks
     * @throws RejectedExecutionException if the node is closing; the request is not retried then
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
     * Registers a call that is retried once. If the node is closing, the answer is that this node
     * does not lead.
     *
     * @return retries the call at once, unless that has happened; never blocks
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

    /** Retries all requests, because something has changed. */
    void wake() {
        if (waiting.isEmpty()) {
            // The set is nearly always empty, and iterating an empty set that was large once takes
            // long.
            return;
        }
        for (Request request : waiting) {
            try {
                timer.execute(request);
            } catch (RejectedExecutionException closing) {
                // The timer is closing and drops its own pending retries as well.
                return;
            }
        }
    }
}

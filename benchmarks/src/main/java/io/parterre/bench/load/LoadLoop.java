package io.parterre.bench.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Keeps every connection busy with one request at a time, on the caller's thread, until the time is
 * up or the work is done. With a pace, each connection sends when it is due. A lost connection is
 * counted and opened again; a server that cannot be reached ends the run. A request unanswered for
 * 30 seconds counts as lost.
 *
 * <p>Closed loop: a slow answer delays the next request of its connection, so percentiles show what
 * this number of callers experience, not what an open stream of requests would.
 */
public final class LoadLoop {
    private static final long ANSWER_NANOS_MAX = Duration.ofSeconds(30).toNanos();
    private static final int SELECT_MILLIS_MAX = 100;
    private static final int RECONNECTS_IN_A_ROW_MAX = 100;

    private final RequestWriter requests;
    private final int connectionCount;
    private final Work work;
    private final Recorder recorder;
    private final Pace pace;
    private final PriorityQueue<Due> waiting =
            new PriorityQueue<>(Comparator.comparingLong(Due::nanos));
    private final ByteBuffer buffer = ByteBuffer.allocate(256 * 1024);
    private final List<Connection> connections = new ArrayList<>();
    private long endNanos;
    private int outstanding;
    private int reconnectsInARow;
    private boolean exhausted;

    /** A connection that sends later. */
    private record Due(long nanos, int connection) {}

    public LoadLoop(Endpoint endpoint, int connectionCount, Work work, Recorder recorder) {
        this(endpoint, connectionCount, work, recorder, Pace.AT_ONCE);
    }

    /** Creates a loop with a pace. */
    public LoadLoop(
            Endpoint endpoint, int connectionCount, Work work, Recorder recorder, Pace pace) {
        this.requests = new RequestWriter(endpoint);
        this.connectionCount = connectionCount;
        this.work = work;
        this.recorder = recorder;
        this.pace = pace;
    }

    /**
     * Runs, and then waits for the outstanding answers.
     *
     * @throws IOException if the server cannot be reached
     */
    public void run(Duration atMost) throws IOException {
        endNanos = System.nanoTime() + atMost.toNanos();
        try (Selector selector = Selector.open()) {
            try {
                for (int number = 0; number < connectionCount; number++) {
                    connections.add(
                            Connection.open(number, requests.endpoint().address(), selector));
                }
                for (Connection connection : List.copyOf(connections)) {
                    proceed(connection, selector);
                }
                turn(selector);
            } finally {
                for (Connection connection : connections) {
                    connection.close();
                }
                connections.clear();
            }
        }
    }

    private void turn(Selector selector) throws IOException {
        List<Connection> ready = new ArrayList<>();
        long nextCheckNanos = System.nanoTime();
        while (outstanding > 0 || !waiting.isEmpty()) {
            selector.select(key -> ready.add((Connection) key.attachment()), selectMillis());
            for (Connection connection : ready) {
                serve(connection, selector);
            }
            ready.clear();
            askDue(selector);
            long now = System.nanoTime();
            if (now - nextCheckNanos > 0) {
                nextCheckNanos = now + ANSWER_NANOS_MAX / 30;
                dropOverdue(now, selector);
            }
        }
    }

    private long selectMillis() {
        if (waiting.isEmpty()) {
            return SELECT_MILLIS_MAX;
        }
        long millis = (waiting.peek().nanos() - System.nanoTime()) / 1_000_000;
        return Math.max(1, Math.min(SELECT_MILLIS_MAX, millis));
    }

    private void askDue(Selector selector) throws IOException {
        long now = System.nanoTime();
        if (exhausted || now - endNanos >= 0) {
            waiting.clear();
        }
        while (!waiting.isEmpty() && waiting.peek().nanos() - now <= 0) {
            ask(connections.get(waiting.remove().connection()), selector);
        }
    }

    private void dropOverdue(long now, Selector selector) throws IOException {
        for (Connection connection : List.copyOf(connections)) {
            if (connection.outstanding() && now - connection.startNanos() > ANSWER_NANOS_MAX) {
                replace(connection, "no answer in 30 s", selector);
            }
        }
    }

    private void serve(Connection connection, Selector selector) throws IOException {
        try {
            if (!connection.advance(buffer)) {
                return;
            }
        } catch (IOException lost) {
            replace(connection, String.valueOf(lost.getMessage()), selector);
            return;
        }
        long now = System.nanoTime();
        outstanding--;
        reconnectsInARow = 0;
        try {
            long entities = work.check(connection.number(), connection.answer());
            recorder.answered(connection.startNanos(), now, entities);
        } catch (UnexpectedAnswer unexpected) {
            recorder.failed(now, unexpected.getMessage(), unexpected.details());
        }
        Connection next = connection;
        if (connection.spent()) {
            connection.close();
            next = reopen(connection, selector);
        }
        proceed(next, selector);
    }

    /** Sends the next request once it is due, unless there is none or the time is up. */
    private void proceed(Connection connection, Selector selector) throws IOException {
        long now = System.nanoTime();
        if (exhausted || now - endNanos >= 0) {
            return;
        }
        long due = pace.dueNanos(connection.number(), now);
        if (due - now > 0) {
            waiting.add(new Due(due, connection.number()));
        } else {
            ask(connection, selector);
        }
    }

    private void ask(Connection connection, Selector selector) throws IOException {
        if (exhausted) {
            return;
        }
        requests.setTime(System.currentTimeMillis());
        if (!work.next(connection.number(), requests, connection.request())) {
            exhausted = true;
            return;
        }
        outstanding++;
        try {
            // The time to write the request is not the server's.
            connection.send(System.nanoTime());
        } catch (IOException lost) {
            replace(connection, String.valueOf(lost.getMessage()), selector);
        }
    }

    private void replace(Connection connection, String reason, Selector selector)
            throws IOException {
        long now = System.nanoTime();
        connection.close();
        boolean asked = connection.outstanding();
        if (asked) {
            outstanding--;
            recorder.failed(now, "connection: " + reason, reason);
            work.lost(connection.number());
        }
        Connection fresh = reopen(connection, selector);
        if (asked) { // Otherwise it waits until it is due, or has no request left.
            proceed(fresh, selector);
        }
    }

    private Connection reopen(Connection old, Selector selector) throws IOException {
        if (++reconnectsInARow > RECONNECTS_IN_A_ROW_MAX) {
            throw new IOException(
                    requests.endpoint() + ": " + reconnectsInARow + " connections lost in a row");
        }
        Connection fresh = Connection.open(old.number(), requests.endpoint().address(), selector);
        connections.set(old.number(), fresh);
        return fresh;
    }
}

package io.parterre.deploy.train;

import io.parterre.concurrent.DaemonThreads;
import io.parterre.deploy.client.SharedKey;
import io.parterre.deploy.node.DevelopmentAccount;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Load on one table endpoint of this machine, from several connections in parallel. */
final class TrainingLoad {
    private static final int CONNECTIONS = 16;

    private final int port;
    private final InstantSource clock;
    private final SharedKey key = SharedKey.of(DevelopmentAccount.KEY);
    private final AtomicLong calls = new AtomicLong();
    private final AtomicReference<String> trouble = new AtomicReference<>("");

    /** Creates a load without sending anything. */
    TrainingLoad(int port, InstantSource clock) {
        this.port = port;
        this.clock = clock;
    }

    /**
     * Sends calls for a while; every connection ends with a complete round.
     *
     * @return number of answered calls
     * @throws IOException if a call was refused or not answered
     */
    long run(Duration time) throws IOException, InterruptedException {
        createTable();
        long endNanos = System.nanoTime() + time.toNanos();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            int connection = i;
            threads.add(DaemonThreads.unstarted("training", () -> guarded(connection, endNanos)));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        if (!trouble.get().isEmpty()) {
            throw new IOException(trouble.get());
        }
        return calls.get();
    }

    private void createTable() throws IOException {
        try (TrainingConnection connection = open()) {
            int status = connection.send(TrainingCall.createTable());
            if (status != HttpURLConnection.HTTP_NO_CONTENT) {
                throw new IOException("creation of table: status " + status + " (expected: 204)");
            }
        }
    }

    private TrainingConnection open() throws IOException {
        return TrainingConnection.open(port, DevelopmentAccount.NAME, key, clock);
    }

    private void guarded(int connection, long endNanos) {
        try (TrainingConnection to = open()) {
            for (int number = 0; more(number, endNanos); number++) {
                TrainingCall call = TrainingCall.of(connection, number);
                int status = to.send(call);
                if (status / 100 != 2) {
                    throw new IOException(call.method() + " " + call.path() + ": status " + status);
                }
                calls.incrementAndGet();
            }
        } catch (IOException | RuntimeException e) {
            trouble.compareAndSet("", String.valueOf(e.getMessage()));
        }
    }

    private boolean more(int number, long endNanos) {
        boolean midRound = number % TrainingCall.ROUND != 0;
        boolean time = number == 0 || System.nanoTime() - endNanos < 0;
        return trouble.get().isEmpty() && (midRound || time);
    }
}

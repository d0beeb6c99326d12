package io.parterre.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Several clients at once, each in a thread of its own. */
final class Clients {
    private Clients() {}

    /** What one client does; what it returns is its result. */
    interface Work<T> {
        T of(int client) throws Exception;
    }

    /**
     * Sets that many clients to work and waits for all of them.
     *
     * @return results in the order of the clients
     * @throws AssertionError of the first client that failed
     */
    static <T> List<T> together(int clients, Work<T> work) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        try {
            List<Callable<T>> tasks =
                    IntStream.range(0, clients)
                            .<Callable<T>>mapToObj(client -> () -> work.of(client))
                            .toList();
            List<T> results = new ArrayList<>();
            for (Future<T> done : threads.invokeAll(tasks)) {
                results.add(done.get());
            }
            return results;
        } catch (ExecutionException failure) {
            throw new AssertionError("a client failed", failure.getCause());
        } finally {
            threads.shutdownNow();
        }
    }
}

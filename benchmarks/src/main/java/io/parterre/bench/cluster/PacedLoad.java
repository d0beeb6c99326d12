package io.parterre.bench.cluster;

import io.parterre.bench.load.Endpoint;
import io.parterre.bench.load.LoadLoop;
import io.parterre.bench.load.Pace;
import io.parterre.bench.load.StatusTimes;
import io.parterre.bench.load.SteadyPace;
import io.parterre.bench.load.Work;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/**
 * Callers that together send requests at a steady pace, each on its own connection. Confined to one
 * thread.
 *
 * @param works returns the work of a caller by its number
 */
record PacedLoad(Endpoint endpoint, int callers, double perSecond, IntFunction<Work> works) {
    /** Running callers. */
    record Running(ExecutorService threads, List<Future<StatusTimes>> callers)
            implements AutoCloseable {
        /** Waits until the callers have ended, and returns their times. */
        StatusTimes times() throws IOException, InterruptedException {
            StatusTimes sum = new StatusTimes();
            for (Future<StatusTimes> each : callers) {
                try {
                    sum.add(each.get());
                } catch (ExecutionException failed) {
                    throw new IOException("load ended early", failed.getCause());
                }
            }
            return sum;
        }

        @Override
        public void close() {
            threads.shutdownNow();
        }
    }

    Running start(Duration time) {
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        List<Future<StatusTimes>> running = new ArrayList<>();
        double each = perSecond / callers;
        long now = System.nanoTime();
        for (int i = 0; i < callers; i++) {
            long first = now + (long) (1e9 / perSecond * i);
            Work work = works.apply(i);
            running.add(
                    threads.submit(
                            () -> {
                                StatusTimes times = new StatusTimes();
                                Pace pace = new SteadyPace(each, first);
                                new LoadLoop(endpoint, 1, times.hears(work), times, pace).run(time);
                                return times;
                            }));
        }
        return new Running(threads, running);
    }
}

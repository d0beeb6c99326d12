package io.parterre.bench.jmh;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Adds the processor time per operation to JMH's output. On a machine with other load the elapsed
 * time includes what that load took; the processor time does not. Runs on JMH's thread; the set of
 * its workers does not change during an iteration.
 */
public final class CpuTimeProfiler implements InternalProfiler {
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private Map<Long, Long> before = Map.of();

    @Override
    public String getDescription() {
        return "processor time of the benchmark's threads for an operation";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        before = nanosByWorker();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        long nanos = 0;
        for (Map.Entry<Long, Long> worker : nanosByWorker().entrySet()) {
            nanos += worker.getValue() - before.getOrDefault(worker.getKey(), 0L);
        }
        double perOperation = (double) nanos / Math.max(1, result.getMetadata().getAllOps());
        return List.of(new ScalarResult("cpu", perOperation, "ns/op", AggregationPolicy.AVG));
    }

    private Map<Long, Long> nanosByWorker() {
        Map<Long, Long> nanos = new HashMap<>();
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().contains("-jmh-worker-")) {
                nanos.put(thread.getThreadId(), threads.getThreadCpuTime(thread.getThreadId()));
            }
        }
        return nanos;
    }
}

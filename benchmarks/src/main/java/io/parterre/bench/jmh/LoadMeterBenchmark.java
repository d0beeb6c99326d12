package io.parterre.bench.jmh;

import io.parterre.server.load.CpuMeter;
import io.parterre.server.load.LoadMeter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Cost for each request of measuring its range's load. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class LoadMeterBenchmark {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final LoadMeter meter =
            new LoadMeter(
                    bound -> ThreadLocalRandom.current().nextInt(bound),
                    THREADS::getCurrentThreadCpuTime);

    /** Counts a point read with its bytes. */
    @Benchmark
    public int countRead() {
        return meter.read(1, 1_100);
    }

    /** Measures the processor time of a point read, only for a sample of the reads. */
    @Benchmark
    public long measureSome() {
        long begun = meter.cpu().begin(CpuMeter.ONE_OF);
        meter.cpu().end(begun, CpuMeter.ONE_OF);
        return begun;
    }

    /** Measures the processor time of a page of a scan, for every page. */
    @Benchmark
    public long measureEach() {
        long begun = meter.cpu().begin(1);
        meter.cpu().end(begun, 1);
        return begun;
    }
}

package io.parterre.bench.jmh;

import io.parterre.key.EntityKey;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
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

/** Encoding and comparison of keys, needed at least once for each entity touched. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class KeyCodecBenchmark {
    private final String partitionKey = Samples.partitionKey(123_456);
    private final String rowKey = Samples.rowKey(123_456);
    private final Key key = Samples.key(123_456);
    private final Key next = Samples.key(123_457);

    @Benchmark
    public Key encode() {
        return KeyCodec.entity(Samples.SCOPE, partitionKey, rowKey);
    }

    @Benchmark
    public EntityKey decode() {
        return KeyCodec.decode(key);
    }

    /** Compares two keys that differ in their last byte. */
    @Benchmark
    public int compare() {
        return key.compareTo(next);
    }
}

package io.parterre.bench.jmh;

import io.parterre.entity.EntityCodec;
import io.parterre.entity.EntityPage;
import io.parterre.entity.EntityView;
import io.parterre.entity.Projection;
import io.parterre.entity.Property;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** Encoding and decoding of stored entities of 1 KiB: time per entity. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class EntityCodecBenchmark {
    private final List<Property> properties = Samples.properties(123_456);
    private final byte[] block = Samples.block(123_456);
    private final EntityView view = Samples.view(123_456);
    private final Projection projection = new Projection(List.of("Number", "Price"));
    private final byte[] page = Samples.page();

    @Benchmark
    public byte[] encodeBlock() {
        return EntityCodec.encodeBlock(properties);
    }

    @Benchmark
    public List<Property> decodeBlock() {
        return EntityCodec.decodeBlock(block);
    }

    @Benchmark
    public byte[] mergeBlocks() {
        return EntityCodec.mergeBlocks(block, block);
    }

    @Benchmark
    public byte[] project() {
        return projection.apply(view);
    }

    /** Reads a page of 1,000 and passes on each entity. */
    @Benchmark
    @OperationsPerInvocation(Samples.PAGE_ENTITIES)
    public void readPage(Blackhole blackhole) {
        EntityPage.forEach(page, shown -> blackhole.consume(shown.timestampTicks()));
    }
}

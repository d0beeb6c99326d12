package io.parterre.bench.jmh;

import io.parterre.entity.EntityView;
import io.parterre.frontend.table.EntityBody;
import io.parterre.frontend.table.EntityJsonWriter;
import io.parterre.frontend.table.EntityLimits;
import io.parterre.frontend.table.EntityReader;
import io.parterre.frontend.table.MetadataLevel;
import io.parterre.frontend.table.ResourceLinks;
import java.util.List;
import java.util.Optional;
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

/** Conversion of entities of 1 KiB to and from JSON. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 3, time = 1)
public class EntityJsonBenchmark {
    private static final ResourceLinks LINKS =
            new ResourceLinks("http://127.0.0.1:10002/devstoreaccount1", "devstoreaccount1");

    private final EntityReader reader = new EntityReader(EntityLimits.OF_THE_SERVICE);
    private final EntityView view = Samples.view(123_456);
    private final List<byte[]> pages = List.of(Samples.page());
    private final byte[] body = Samples.json(123_456);

    private static EntityJsonWriter writer(int capacityBytes) {
        return new EntityJsonWriter(
                MetadataLevel.MINIMAL, LINKS, "orders", Optional.empty(), capacityBytes);
    }

    @Benchmark
    public byte[] writeOne() {
        return writer(2_048).single(view, Optional.empty());
    }

    /** Measures the time of the whole page. */
    @Benchmark
    public byte[] writePageOfThousand() {
        return writer(1 << 20).set(pages, Optional.empty());
    }

    @Benchmark
    public EntityBody readInsert() {
        return reader.readForInsert(body, 0, body.length);
    }
}

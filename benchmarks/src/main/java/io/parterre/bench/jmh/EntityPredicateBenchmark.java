package io.parterre.bench.jmh;

import io.parterre.entity.EntityView;
import io.parterre.filter.EntityPredicate;
import io.parterre.frontend.table.FilterParser;
import io.parterre.key.Key;
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

/** Selective filters over stored entities of 1 KiB: time to test one entity. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(Samples.PAGE_ENTITIES)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class EntityPredicateBenchmark {
    private final List<EntityView> entities = Samples.views();
    private final List<Key> keys = Samples.keys();
    private final List<byte[]> values = Samples.values();
    private final EntityView row = new EntityView();
    private final EntityPredicate rejecting = predicate("Active eq true and Price gt 5000.0");
    private final EntityPredicate number = predicate("Number eq 500");
    private final EntityPredicate three =
            predicate("Active eq true and Price ge 999.0 and Name ne 'entity 7'");
    private final EntityPredicate lastProperty = predicate("Text lt '-'");
    private final EntityPredicate rowKey = predicate("RowKey eq 'r0000000500'");

    private static EntityPredicate predicate(String filter) {
        return new EntityPredicate(FilterParser.parse(filter));
    }

    private int matches(EntityPredicate predicate) {
        int matches = 0;
        for (EntityView entity : entities) {
            if (predicate.test(entity)) {
                matches++;
            }
        }
        return matches;
    }

    /**
     * Tests as a scan does: a view is set to the stored bytes of each entity, and no entity
     * matches. Half of them fail at the first clause, half at the second. Measures entities a
     * second.
     */
    @Benchmark
    @BenchmarkMode(Mode.Throughput)
    @OutputTimeUnit(TimeUnit.SECONDS)
    public int twoClausesRejected() {
        int matches = 0;
        for (int i = 0; i < Samples.PAGE_ENTITIES; i++) {
            Key key = keys.get(i);
            byte[] value = values.get(i);
            row.reset(key.unsafeBytes(), key.length(), value, value.length);
            if (rejecting.test(row)) {
                matches++;
            }
        }
        if (matches != 0) {
            throw new IllegalStateException("matches: " + matches + " (expected: 0)");
        }
        return matches;
    }

    @Benchmark
    public int oneNumber() {
        return matches(number);
    }

    @Benchmark
    public int threeProperties() {
        return matches(three);
    }

    @Benchmark
    public int lastProperty() {
        return matches(lastProperty);
    }

    @Benchmark
    public int rowKey() {
        return matches(rowKey);
    }
}

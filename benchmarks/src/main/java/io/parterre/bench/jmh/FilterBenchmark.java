package io.parterre.bench.jmh;

import io.parterre.filter.Filter;
import io.parterre.filter.FilterCodec;
import io.parterre.frontend.table.FilterParser;
import io.parterre.frontend.table.QueryPlan;
import io.parterre.frontend.table.QueryPlanner;
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

/** Cost of a query's filter before an entity is read, once for each page. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 3, time = 1)
public class FilterBenchmark {
    private static final String USUAL =
            "PartitionKey eq 'p00000001' and RowKey ge 'r0000000100' and RowKey lt 'r0000000200'"
                    + " and (Active eq true or Price gt 12.5)"
                    + " and Created ge datetime'2026-01-01T00:00:00Z'";

    private final QueryPlanner planner = new QueryPlanner(1_000);
    private final String hundredRows = hundredRows();
    private final Filter usual = FilterParser.parse(USUAL);
    private final byte[] encoded = FilterCodec.encode(usual);

    private static String hundredRows() {
        StringBuilder filter = new StringBuilder("PartitionKey eq 'p' and (RowKey eq 'r0'");
        for (int row = 1; row < 100; row++) {
            filter.append(" or RowKey eq 'r").append(row).append('\'');
        }
        return filter.append(')').toString();
    }

    @Benchmark
    public Filter parse() {
        return FilterParser.parse(USUAL);
    }

    @Benchmark
    public QueryPlan plan() {
        return planner.plan(usual);
    }

    @Benchmark
    public QueryPlan parseAndPlanHundredRows() {
        return planner.plan(FilterParser.parse(hundredRows));
    }

    @Benchmark
    public Filter decode() {
        return FilterCodec.decode(encoded);
    }
}

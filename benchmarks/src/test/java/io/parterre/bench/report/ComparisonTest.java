package io.parterre.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.bench.load.Measurement;
import io.parterre.bench.load.Measurement.Latency;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ComparisonTest {
    private static Row row(String workload, int connections, long operations, long entities) {
        return new Row(
                "parterre",
                workload,
                workload.equals("batch") ? "entities" : "operations",
                connections,
                Double.NaN,
                new Measurement(
                        1, operations, entities, new Latency(1, 1, 1, 1), Map.of(), Map.of()));
    }

    @Test
    void comparisonUsesRates_withEqualConnectionsOnly() {
        List<Row> rows =
                List.of(
                        row("insert", 1, 100, 100),
                        row("insert", 16, 1_000, 1_000),
                        row("batch", 16, 80, 8_000),
                        row("batch", 4, 50, 5_000));
        assertThat(Comparison.of("batch", "insert", rows))
                .containsExactly(new Comparison("batch by insert, connections 16", 8));
    }

    @Test
    void comparisonUsesMedian_whenMeasuredSeveralTimes() {
        List<Row> rows =
                List.of(
                        row("insert", 4, 100, 100),
                        row("batch", 4, 3, 300),
                        row("insert", 4, 300, 300),
                        row("batch", 4, 20, 2_000),
                        row("batch", 4, 8, 800));
        assertThat(Comparison.of("batch", "insert", rows))
                .containsExactly(new Comparison("batch by insert, connections 4", 4));
    }
}

package io.parterre.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.FieldDescriptor;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parterre.proto.manager.Order;
import io.parterre.server.metrics.PartitionServerMetrics.OrderEnd;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PartitionServerMetricsTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final PartitionServerMetrics metrics = new PartitionServerMetrics(meters);

    private Set<String> operations(String outcome) {
        return meters
                .find("partition_server_orders_total")
                .tag("outcome", outcome)
                .counters()
                .stream()
                .map(counter -> counter.getId().getTag("operation"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void everyOrderHasItsCounters_fromTheStart() {
        Set<String> kinds = new TreeSet<>(Set.of("unknown"));
        for (FieldDescriptor kind : Order.getDescriptor().getOneofs().get(0).getFields()) {
            kinds.add(kind.getName());
        }
        assertThat(kinds).contains("split_range", "merge_ranges", "quarantine_replica");
        for (String outcome : Set.of("done", "refused", "failed")) {
            assertThat(operations(outcome)).isEqualTo(kinds);
        }
    }

    @Test
    void orderIsCounted_byKindAndOutcome() {
        metrics.ordered(Order.OrderCase.SPLIT_RANGE, OrderEnd.REFUSED);
        metrics.ordered(Order.OrderCase.ORDER_NOT_SET, OrderEnd.DONE);
        assertThat(count("split_range", "refused")).isEqualTo(1);
        assertThat(count("split_range", "done")).isZero();
        assertThat(count("unknown", "done")).isEqualTo(1);
    }

    private double count(String operation, String outcome) {
        return meters.get("partition_server_orders_total")
                .tags("operation", operation, "outcome", outcome)
                .counter()
                .count();
    }
}

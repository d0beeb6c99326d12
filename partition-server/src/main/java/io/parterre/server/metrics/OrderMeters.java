package io.parterre.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.parterre.proto.manager.Order;
import io.parterre.server.metrics.PartitionServerMetrics.ChangeEnd;
import io.parterre.server.metrics.PartitionServerMetrics.MemberStep;
import io.parterre.server.metrics.PartitionServerMetrics.OrderEnd;
import java.time.Duration;

/** Meters of managers' orders and of leaders' changes of ranges. Safe for any thread. */
final class OrderMeters {
    private final MeterRegistry meters;

    /** Creates the counters with all their labels, so that each begins at 0. */
    OrderMeters(MeterRegistry meters) {
        this.meters = meters;
        for (Order.OrderCase kind : Order.OrderCase.values()) {
            for (OrderEnd end : OrderEnd.values()) {
                orders(kind, end).increment(0);
            }
        }
        for (MemberStep step : MemberStep.values()) {
            for (ChangeEnd end : ChangeEnd.values()) {
                changes(step, end).increment(0);
            }
        }
    }

    void ordered(Order.OrderCase kind, OrderEnd end) {
        orders(kind, end).increment();
    }

    private Counter orders(Order.OrderCase kind, OrderEnd end) {
        boolean known = kind != Order.OrderCase.ORDER_NOT_SET;
        return Counter.builder("partition_server_orders_total")
                .description("Orders of managers, by kind and by what became of them")
                .tag("operation", known ? PartitionServerMetrics.label(kind) : "unknown")
                .tag("outcome", PartitionServerMetrics.label(end))
                .register(meters);
    }

    void changed(MemberStep step, ChangeEnd end, Duration took) {
        changes(step, end).increment();
        if (end == ChangeEnd.DONE) {
            Timer.builder("partition_server_member_change_seconds")
                    .description(
                            "Time of a change of members or leader, the new member's copy included")
                    .tag("operation", step.toString())
                    .register(meters)
                    .record(took);
        }
    }

    private Counter changes(MemberStep step, ChangeEnd end) {
        return Counter.builder("partition_server_member_changes_total")
                .description("Changes of members, leader or bounds that this node made as leader")
                .tag("operation", step.toString())
                .tag("outcome", PartitionServerMetrics.label(end))
                .register(meters);
    }
}

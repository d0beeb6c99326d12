package io.parterre.manager.lead;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapCommand;
import java.util.function.Supplier;

/** All metrics of the partition manager. Safe for any thread. */
public final class PartitionManagerMetrics {
    private final MeterRegistry registry;
    private volatile boolean leading;
    private volatile int watchers;
    private volatile int liveNodes;

    public PartitionManagerMetrics(MeterRegistry registry, Supplier<ClusterMap> map) {
        this.registry = registry;
        gauge("partition_manager_leading", "1 while this manager leads", () -> leading ? 1 : 0);
        gauge("partition_manager_watchers", "watchers of the map", () -> watchers);
        gauge("partition_manager_live_nodes", "nodes that report", () -> liveNodes);
        gauge("partition_manager_nodes", "nodes in the map", () -> map.get().nodes().size());
        gauge("partition_manager_ranges", "ranges in the map", () -> map.get().ranges().size());
        gauge("partition_manager_map_version", "version of the map", () -> map.get().version());
    }

    private void gauge(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).register(registry);
    }

    void leading(boolean now) {
        leading = now;
    }

    void watchers(int now) {
        watchers = now;
    }

    void liveNodes(int now) {
        liveNodes = now;
    }

    void heartbeat(LeadAnswer<?> answer) {
        registry.counter("partition_manager_heartbeats", "answer", answer.label()).increment();
    }

    void watchUpdate(String kind) {
        registry.counter("partition_manager_watch_updates", "kind", kind).increment();
    }

    Timer.Sample start() {
        return Timer.start(registry);
    }

    void proposed(Timer.Sample since, MapCommand command, boolean answered) {
        since.stop(
                Timer.builder("partition_manager_proposals")
                        .description("from proposal to outcome")
                        .tag("command", command.match(new CommandLabel()))
                        .tag("outcome", answered ? "applied" : "in_doubt")
                        .register(registry));
    }

    private static final class CommandLabel implements MapCommand.Cases<String> {
        @Override
        public String found(MapCommand.FoundCluster found) {
            return "found_cluster";
        }

        @Override
        public String register(MapCommand.RegisterNode register) {
            return "register_node";
        }

        @Override
        public String ensure(MapCommand.EnsureAccount ensure) {
            return "ensure_account";
        }

        @Override
        public String lease(MapCommand.LeaseObjectIds lease) {
            return "lease_object_ids";
        }

        @Override
        public String setNodeState(MapCommand.SetNodeState set) {
            return "set_node_state";
        }

        @Override
        public String beginMove(MapCommand.BeginMove begin) {
            return "begin_move";
        }

        @Override
        public String endMove(MapCommand.EndMove end) {
            return "end_move";
        }

        @Override
        public String updateRange(MapCommand.UpdateRange update) {
            return "update_range";
        }

        @Override
        public String confirmRange(MapCommand.ConfirmRange confirm) {
            return "confirm_range";
        }

        @Override
        public String createAccount(MapCommand.CreateAccount create) {
            return "create_account";
        }

        @Override
        public String rotateKey(MapCommand.RotateKey rotate) {
            return "rotate_key";
        }

        @Override
        public String suspendAccount(MapCommand.SuspendAccount suspend) {
            return "suspend_account";
        }

        @Override
        public String takeDisruptionLease(MapCommand.TakeDisruptionLease take) {
            return "take_disruption_lease";
        }

        @Override
        public String returnDisruptionLease(MapCommand.ReturnDisruptionLease giveBack) {
            return "return_disruption_lease";
        }
    }
}

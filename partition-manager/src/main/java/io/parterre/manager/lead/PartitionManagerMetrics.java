package io.parterre.manager.lead;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MergeReason;
import io.parterre.manager.map.MoveReason;
import io.parterre.manager.plan.decide.Decision;
import io.parterre.manager.plan.decide.Plan;
import io.parterre.manager.plan.view.ClusterHealth;
import io.parterre.manager.plan.view.Liveness;
import io.parterre.manager.plan.view.NodeFault;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;

/** All metrics of the partition manager. Safe for any thread. */
public final class PartitionManagerMetrics {
    private final MeterRegistry registry;
    private volatile boolean leading;
    private volatile int watchers;
    private volatile int liveNodes;
    private volatile ClusterHealth health = ClusterHealth.UNKNOWN;
    private volatile Plan plan = Plan.NONE;

    public PartitionManagerMetrics(MeterRegistry registry, Supplier<ClusterMap> map) {
        this.registry = registry;
        gauge("partition_manager_leading", "1 while this manager leads", () -> leading ? 1 : 0);
        gauge("partition_manager_watchers", "watchers of the map", () -> watchers);
        gauge("partition_manager_live_nodes", "nodes that report", () -> liveNodes);
        gauge("partition_manager_nodes", "nodes in the map", () -> map.get().nodes().size());
        gauge("partition_manager_ranges", "ranges in the map", () -> map.get().ranges().size());
        gauge("partition_manager_map_version", "version of the map", () -> map.get().version());
        gauge(
                "partition_manager_feature_level",
                "feature level of the cluster: nothing is written above it",
                () -> map.get().featureLevel().value());
        gauge("partition_manager_moves", "moves under way", () -> map.get().moves().size());
        gauge("partition_manager_splits", "splits under way", () -> map.get().splits().size());
        gauge("partition_manager_merges", "merges under way", () -> map.get().merges().size());
        gauge(
                "partition_manager_ranges_without_leader",
                "ranges without a leader",
                () -> health.withoutLeader());
        gauge(
                "partition_manager_ranges_under_replicated",
                "ranges with fewer healthy members than they should have",
                () -> health.underReplicated());
        gauge(
                "partition_manager_damaged_replicas",
                "members that have to be rebuilt because what they hold is damaged",
                () -> health.damagedReplicas());
        gauge(
                "partition_manager_damaged_nodes",
                "nodes that cannot use their store",
                () -> health.damagedNodes());
        for (Liveness liveness : Liveness.values()) {
            Gauge.builder("partition_manager_nodes_by_liveness", () -> health.nodes(liveness))
                    .description("nodes that are up, silent for seconds, silent for minutes")
                    .tag("liveness", liveness.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
        for (NodeFault what : NodeFault.values()) {
            Gauge.builder("partition_manager_ailing_nodes", () -> health.ailing(what))
                    .description("nodes that may lead no range, by fault")
                    .tag("ailment", what.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
        for (Decision.Cause cause : Decision.Cause.values()) {
            Gauge.builder(
                            "partition_manager_decisions_left",
                            () ->
                                    plan.left().stream()
                                            .filter(left -> left.cause() == cause)
                                            .count())
                    .description("what would be to do in the latest plan, and is not")
                    .tag("cause", cause.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
    }

    private void gauge(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).register(registry);
    }

    void leading(boolean now) {
        leading = now;
        // A manager that does not lead knows nothing of these.
        health = ClusterHealth.UNKNOWN;
        plan = Plan.NONE;
    }

    void planned(Plan latest, ClusterHealth now) {
        plan = latest;
        health = now;
    }

    void round(Duration took) {
        registry.timer("partition_manager_planning").record(took);
    }

    /** Counts moves as they begin and end. */
    void countMove(MapCommand command) {
        if (command instanceof MapCommand.Noted noted) {
            countMove(noted.command());
        } else if (command instanceof MapCommand.BeginMove begin) {
            move(begin.move().reason(), "begun");
        } else if (command instanceof MapCommand.EndMove end) {
            move(end.move().reason(), end.end().name().toLowerCase(Locale.ROOT));
        }
    }

    /** Counts merges as they begin, take effect or are given up, whoever asked for them. */
    void countMerge(MapCommand command) {
        if (command instanceof MapCommand.Noted noted) {
            countMerge(noted.command());
        } else if (command instanceof MapCommand.BeginMerge begin) {
            merge(begin.merge().reason(), "begun");
        } else if (command instanceof MapCommand.EndMerge end) {
            merge(end.merge().reason(), "given_up");
        } else if (command instanceof MapCommand.JoinRanges join) {
            merge(join.merge().reason(), "done");
        }
    }

    private void merge(MergeReason reason, String outcome) {
        registry.counter(
                        "partition_manager_merges_by_outcome",
                        "reason",
                        reason.name().toLowerCase(Locale.ROOT),
                        "outcome",
                        outcome)
                .increment();
    }

    private void move(MoveReason reason, String outcome) {
        registry.counter(
                        "partition_manager_moves_by_outcome",
                        "reason",
                        reason.name().toLowerCase(Locale.ROOT),
                        "outcome",
                        outcome)
                .increment();
    }

    void watchers(int now) {
        watchers = now;
    }

    void liveNodes(int now) {
        liveNodes = now;
    }

    void heartbeat(LeaderAnswer<?> answer) {
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
        public String raiseLevel(MapCommand.RaiseLevel raise) {
            return "raise_level";
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

        @Override
        public String setManagers(MapCommand.SetManagers set) {
            return "set_managers";
        }

        @Override
        public String beginSplit(MapCommand.BeginSplit begin) {
            return "begin_split";
        }

        @Override
        public String abandonSplit(MapCommand.AbandonSplit abandon) {
            return "abandon_split";
        }

        @Override
        public String endSplit(MapCommand.EndSplit end) {
            return "end_split";
        }

        @Override
        public String cutRange(MapCommand.CutRange cut) {
            return "cut_range";
        }

        @Override
        public String setPolicy(MapCommand.SetPolicy set) {
            return "set_policy";
        }

        @Override
        public String note(MapCommand.NoteDecisions note) {
            return "note_decisions";
        }

        @Override
        public String noted(MapCommand.Noted noted) {
            return noted.command().match(this);
        }

        @Override
        public String recoverRange(MapCommand.RecoverRange recover) {
            return "recover_range";
        }

        @Override
        public String endRecovery(MapCommand.EndRecovery end) {
            return "end_recovery";
        }

        @Override
        public String beginMerge(MapCommand.BeginMerge begin) {
            return "begin_merge";
        }

        @Override
        public String abandonMerge(MapCommand.AbandonMerge abandon) {
            return "abandon_merge";
        }

        @Override
        public String endMerge(MapCommand.EndMerge end) {
            return "end_merge";
        }

        @Override
        public String joinRanges(MapCommand.JoinRanges join) {
            return "join_ranges";
        }
    }
}

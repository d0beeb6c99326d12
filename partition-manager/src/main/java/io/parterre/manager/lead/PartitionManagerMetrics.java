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
import io.parterre.range.NodeId;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** All metrics of the partition manager. Thread-safe. */
public final class PartitionManagerMetrics {
    private static final Pattern WORD_START = Pattern.compile("(?<=[a-z])(?=[A-Z])");

    private final MeterRegistry registry;
    private volatile boolean leading;
    private volatile int watchers;
    private volatile int liveNodes;
    private volatile ClusterHealth health = ClusterHealth.UNKNOWN;
    private volatile Plan plan = Plan.NONE;
    private volatile Optional<NodeId> permitHolder = Optional.empty();

    /** Nodes that have a gauge: all that ever held the permit. */
    private final Set<NodeId> permitHolders = ConcurrentHashMap.newKeySet();

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
        gauge("partition_manager_moves_running", "moves under way", () -> map.get().moves().size());
        gauge(
                "partition_manager_splits_running",
                "splits under way",
                () -> map.get().splits().size());
        gauge(
                "partition_manager_merges_running",
                "merges under way",
                () -> map.get().merges().size());
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
            Gauge.builder("partition_manager_cluster_nodes", () -> health.nodes(liveness))
                    .description("nodes that are up, silent for seconds, silent for minutes")
                    .tag("liveness", word(liveness))
                    .register(registry);
        }
        for (NodeFault what : NodeFault.values()) {
            Gauge.builder("partition_manager_ailing_nodes", () -> health.ailing(what))
                    .description("nodes that may lead no range, by fault")
                    .tag("reason", word(what))
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
                    .tag("reason", word(cause))
                    .register(registry);
        }
    }

    private void gauge(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).register(registry);
    }

    void leading(boolean now) {
        leading = now;
        // A manager that does not lead knows none of these.
        health = ClusterHealth.UNKNOWN;
        plan = Plan.NONE;
        permitHolder = Optional.empty();
    }

    void planned(Plan latest, ClusterHealth now) {
        plan = latest;
        health = now;
    }

    void round(Duration took) {
        registry.timer("partition_manager_planning_seconds").record(took);
    }

    /** Counts moves as they begin and end. */
    void countMove(MapCommand command) {
        if (command instanceof MapCommand.Noted noted) {
            countMove(noted.command());
        } else if (command instanceof MapCommand.BeginMove begin) {
            countMove(begin.move().reason(), "begun");
        } else if (command instanceof MapCommand.EndMove end) {
            countMove(end.move().reason(), word(end.end()));
        }
    }

    /** Counts merges of planners and operators as they begin, take effect or are given up. */
    void countMerge(MapCommand command) {
        if (command instanceof MapCommand.Noted noted) {
            countMerge(noted.command());
        } else if (command instanceof MapCommand.BeginMerge begin) {
            countMerge(begin.merge().reason(), "begun");
        } else if (command instanceof MapCommand.EndMerge end) {
            countMerge(end.merge().reason(), "given_up");
        } else if (command instanceof MapCommand.JoinRanges join) {
            countMerge(join.merge().reason(), "done");
        }
    }

    private void countMove(MoveReason reason, String outcome) {
        registry.counter(
                        "partition_manager_moves_total", "reason", word(reason), "outcome", outcome)
                .increment();
    }

    private void countMerge(MergeReason reason, String outcome) {
        registry.counter(
                        "partition_manager_merges_total",
                        "reason",
                        word(reason),
                        "outcome",
                        outcome)
                .increment();
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    void watchers(int now) {
        watchers = now;
    }

    void liveNodes(int now) {
        liveNodes = now;
    }

    /** Sets the node that holds the disruption permit, by the map of the leading manager. */
    void permitHeld(Optional<NodeId> nodeId) {
        permitHolder = nodeId;
        nodeId.filter(permitHolders::add)
                .ifPresent(
                        each ->
                                Gauge.builder(
                                                "partition_manager_disruption_permit_held",
                                                () ->
                                                        permitHolder
                                                                        .filter(each::equals)
                                                                        .isPresent()
                                                                ? 1
                                                                : 0)
                                        .description("1 while the node holds the disruption permit")
                                        .tag("node", each.value())
                                        .register(registry));
    }

    /** Records how long a server that stops waited for the disruption permit. */
    void permitWaited(Duration took) {
        registry.timer("partition_manager_permit_wait_seconds").record(took);
    }

    void heartbeat(LeaderAnswer<?> answer) {
        registry.counter("partition_manager_heartbeats_total", "outcome", label(answer.getClass()))
                .increment();
    }

    void watchUpdate(String kind) {
        registry.counter("partition_manager_watch_updates_total", "kind", kind).increment();
    }

    Timer.Sample start() {
        return Timer.start(registry);
    }

    void proposed(Timer.Sample since, MapCommand command, boolean answered) {
        since.stop(
                Timer.builder("partition_manager_proposal_seconds")
                        .description("from proposal to outcome")
                        .tag("operation", label(command))
                        .tag("outcome", answered ? "applied" : "in_doubt")
                        .register(registry));
    }

    /** Returns the command's type as a label value, such as {@code begin_move}. */
    static String label(MapCommand command) {
        return command instanceof MapCommand.Noted noted
                ? label(noted.command())
                : label(command.getClass());
    }

    private static String label(Class<?> type) {
        return WORD_START.matcher(type.getSimpleName()).replaceAll("_").toLowerCase(Locale.ROOT);
    }
}

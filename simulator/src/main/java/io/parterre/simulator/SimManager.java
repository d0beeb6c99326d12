package io.parterre.simulator;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapApply;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapOutcome;
import io.parterre.manager.plan.decide.Plan;
import io.parterre.manager.plan.decide.Round;
import io.parterre.manager.plan.decide.Rounds;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.progress.Order;
import io.parterre.manager.plan.progress.Orders;
import io.parterre.manager.plan.progress.Upkeep;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.LastReport;
import io.parterre.manager.plan.view.Leaders;
import io.parterre.manager.plan.view.LoadPeaks;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.NodeId;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The leading manager: takes reports, answers with orders, plans. Its parts are those of the
 * product.
 */
final class SimManager {
    private static final int ORDERS_MAX = 100;

    /** Operations that end in one second take far fewer rounds. */
    private static final int ROUNDS_MAX = 1_000;

    private final SimState state;
    private final Policy policy;
    private final Changes changes;
    private final Map<NodeId, LastReport> heard = new HashMap<>();
    private final Leaders leaders = new Leaders();
    private final LoadPeaks peaks = new LoadPeaks();
    private final Rounds rounds = new Rounds();
    private Instant leadSince = Instant.EPOCH;

    ClusterMap map;

    SimManager(SimState state, ClusterMap map, Policy policy, Changes changes) {
        this.state = state;
        this.map = map;
        this.policy = policy;
        this.changes = changes;
    }

    Instant now() {
        return Instant.EPOCH.plusSeconds(state.second);
    }

    ClusterView view() {
        return new ClusterView(map, heard, leaders, leadSince, now(), policy, peaks.byRange());
    }

    Plan plan() {
        return rounds.plan();
    }

    /** Makes another manager lead, which knows the map and nothing else. */
    void change() {
        heard.clear();
        leaders.clear();
        peaks.clear();
        rounds.clear();
        leadSince = now();
    }

    void apply(MapCommand command) {
        MapApply.Applied applied = MapApply.apply(map, command);
        Invariant.holds(
                !(applied.outcome() instanceof MapOutcome.Refused),
                "%s: %s",
                command,
                applied.outcome());
        map = applied.map();
    }

    /** Returns the orders in answer to a report. */
    @SuppressWarnings("ReferenceEquality") // The same report object again contains nothing new.
    List<Order> hears(NodeReport report) {
        NodeId nodeId = report.node().nodeId();
        boolean folderReplaced =
                map.node(nodeId)
                        .filter(known -> !known.incarnation().equals(report.node().incarnation()))
                        .isPresent();
        MapApply.Applied registered =
                MapApply.apply(map, new MapCommand.RegisterNode(report.node()));
        if (registered.outcome() instanceof MapOutcome.Refused) {
            return List.of();
        }
        map = registered.map();
        Optional<LastReport> before = Optional.ofNullable(heard.get(nodeId));
        boolean news = before.isEmpty() || before.get().report() != report;
        if (news) {
            report.replicas().stream()
                    .filter(NodeReport.Replica::leading)
                    .forEach(replica -> leaders.leads(replica.rangeId(), nodeId));
        }
        heard.put(
                nodeId,
                LastReport.next(
                        before,
                        report,
                        now(),
                        map.ranges().onNode(nodeId),
                        leaders,
                        heard,
                        folderReplaced,
                        policy.disk()));
        if (news) {
            learn(report);
        }
        return Orders.forNode(view(), nodeId, plan().leads(), ORDERS_MAX);
    }

    private void learn(NodeReport report) {
        peaks.heard(report, now());
        for (Upkeep.News news : Upkeep.news(view(), report)) {
            MapCommand command = news.command().orElseThrow();
            map = MapApply.apply(map, command).map();
            if (command instanceof MapCommand.CompleteSplit completed) {
                rounds.splitTookEffect(completed.split(), now());
            }
        }
    }

    void round() {
        int count = 0;
        Round round;
        do {
            Invariant.holds(count++ < ROUNDS_MAX, "second %s: rounds without end", state.second);
            round = rounds.next(view());
            map = round.match(this::ended, this::begun);
        } while (round.again());
        Invariant.holds(
                map.moves().size() <= policy.movesMax(),
                "second %s: %s moves",
                state.second,
                map.moves().size());
    }

    /** A refused command changes nothing, and the next round judges again. */
    private ClusterMap ended(Round.End end) {
        ClusterMap next = map;
        for (Upkeep.Chore chore : end.chores()) {
            next = MapApply.apply(next, chore.command()).map();
        }
        return next;
    }

    private ClusterMap begun(Round.Begin begin) {
        for (Round.Begun begun : begin.begun()) {
            changes.note(begun.decision(), state.second);
            apply(begun.command());
        }
        return map;
    }
}

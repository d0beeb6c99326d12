package io.parterre.simulator;

import static io.parterre.manager.plan.view.ClusterView.majority;

import io.parterre.key.Key;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Invariants that hold at any time, and those that hold once all has settled. */
final class SimChecks {
    /** A cluster with more ranges is checked only every {@link #SELDOM_SECONDS}. */
    private static final int RANGES_EACH_SECOND = 5_000;

    private static final int SELDOM_SECONDS = 20;

    private final SimState state;
    private final Map<RangeId, Generation> lastGenerations = new HashMap<>();
    boolean guarded = true;

    SimChecks(SimState state) {
        this.state = state;
    }

    void always(ClusterMap map) {
        if (state.groups.size() > RANGES_EACH_SECOND && state.second % SELDOM_SECONDS != 0) {
            return;
        }
        everyKeyOnce();
        for (RangeDescriptor range : map.ranges().inKeyOrder()) {
            RangeId rangeId = range.rangeId();
            Generation last = lastGenerations.getOrDefault(rangeId, Generation.FIRST);
            Invariant.holds(
                    range.generation().compareTo(last) >= 0,
                    "second %s: range %s is of generation %s after %s",
                    state.second,
                    rangeId,
                    range.generation(),
                    last);
            lastGenerations.put(rangeId, range.generation());
            SimGroup group = state.groups.get(rangeId);
            if (group == null) {
                Invariant.holds(
                        state.history.end(rangeId).isPresent(),
                        "the map has yet to hear that range %s no longer exists",
                        rangeId);
                continue;
            }
            Invariant.holds(
                    range.generation().compareTo(group.generation()) <= 0,
                    "second %s: the map is ahead of range %s",
                    state.second,
                    rangeId);
            if (guarded && map.isConfirmed(rangeId)) {
                Invariant.holds(
                        state.serving(rangeId, group.members()) >= majority(group.members().size()),
                        "second %s: range %s of %s keeps a majority",
                        state.second,
                        rangeId,
                        group.members());
            }
        }
    }

    private void everyKeyOnce() {
        Key next = Key.FIRST;
        List<SimGroup> inKeyOrder = new ArrayList<>(state.groups.values());
        inKeyOrder.sort(Comparator.comparing(group -> group.bounds().start()));
        for (SimGroup group : inKeyOrder) {
            Invariant.holds(
                    group.bounds().start().equals(next), "second %s: every key once", state.second);
            next = group.bounds().endExclusive();
        }
        Invariant.holds(next.equals(Key.LAST), "second %s: every key", state.second);
    }

    /** Checks that every range is as it should be, and no superfluous replica is left. */
    void wellReplicated(ClusterView view, int replicas) {
        for (Map.Entry<RangeId, SimGroup> entry : state.groups.entrySet()) {
            RangeDescriptor range = view.map().ranges().find(entry.getKey()).orElseThrow();
            SimGroup group = entry.getValue();
            Invariant.holds(!group.isFrozen(), "range %s stays frozen", range.rangeId());
            boolean known =
                    range.generation().equals(group.generation())
                            && range.bounds().equals(group.bounds())
                            && Set.copyOf(range.members()).equals(Set.copyOf(group.members()));
            Invariant.holds(known, "%s is known as it is", range);
            Invariant.holds(
                    range.members().size() == replicas, "%s has %s members", range, replicas);
            for (NodeId member : range.members()) {
                member(view, range.rangeId(), member);
            }
        }
        for (SimNode node : state.nodes.values()) {
            if (node.up) {
                node.replicas.keySet().forEach(held -> needed(held, node.nodeId()));
            }
        }
    }

    private void member(ClusterView view, RangeId rangeId, NodeId member) {
        Invariant.holds(
                state.serves(rangeId, member),
                "range %s on %s is %s",
                rangeId,
                member,
                view.health(rangeId, member));
        Invariant.holds(
                !state.nodes.get(member).replicas.get(rangeId).damaged,
                "range %s on %s is damaged",
                rangeId,
                member);
        Invariant.holds(
                !view.map().node(member).orElseThrow().state().givesReplicas(),
                "range %s is on %s, which is to give it",
                rangeId,
                member);
    }

    private void needed(RangeId held, NodeId node) {
        SimGroup group = state.groups.get(held);
        Invariant.holds(group != null, "range %s no longer exists, on %s", held, node);
        Invariant.holds(
                group.members().contains(node), "stray replica of range %s on %s", held, node);
    }
}

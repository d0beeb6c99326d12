package io.parterre.simulator;

import io.parterre.key.KeyRange;
import io.parterre.manager.plan.progress.Order;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** How leaders make one range of two, or undo what they have begun. */
final class SimMerges {
    /** A right range is frozen, and its leader, who leads both, waits for the members. */
    private record Join(
            long at,
            NodeId node,
            RangeId left,
            Generation leftGeneration,
            RangeId right,
            Generation frozen) {}

    private final SimState state;
    private final List<Join> joins = new ArrayList<>();

    /** So many of a hundred joins are undone by the leader that has begun them. */
    int stallPercent;

    SimMerges(SimState state) {
        this.state = state;
    }

    boolean isAnyUnderWay() {
        return !joins.isEmpty();
    }

    void begin(SimNode node, Order.MergeRanges merge) {
        NodeId self = node.nodeId();
        SimGroup left = state.groups.get(merge.leftId());
        SimGroup right = state.groups.get(merge.rightId());
        if (left == null || right == null || isJoining(merge.rightId())) {
            return;
        }
        boolean frozen =
                right.frozenFor.equals(Optional.of(merge.leftId()))
                        && right.generation.equals(merge.rightGeneration().next());
        boolean may =
                left.isLedBy(self)
                        && right.isLedBy(self)
                        && left.generation.equals(merge.leftGeneration())
                        && (frozen || right.generation.equals(merge.rightGeneration()))
                        && Set.copyOf(left.members).equals(Set.copyOf(right.members));
        if (!may) {
            refuse(self, merge.leftId(), merge.leftGeneration(), merge.rightId());
            return;
        }
        Invariant.holds(
                left.bounds.endExclusive().equals(right.bounds.start()),
                "ranges %s and %s are neighbours",
                merge.leftId(),
                merge.rightId());
        if (!frozen) {
            right.generation = right.generation.next();
            right.frozenFor = Optional.of(merge.leftId());
            right.ledSince = state.second;
            state.touch(merge.rightId());
        }
        joins.add(
                new Join(
                        state.second + 1 + state.random.nextInt(3),
                        self,
                        merge.leftId(),
                        merge.leftGeneration(),
                        merge.rightId(),
                        right.generation));
    }

    private boolean isJoining(RangeId right) {
        return joins.stream().anyMatch(join -> join.right().equals(right));
    }

    /** Whether this leader has it in hand, and takes no other order about it. */
    boolean isJoining(RangeId right, NodeId node) {
        return joins.stream()
                .anyMatch(join -> join.right().equals(right) && join.node().equals(node));
    }

    private void refuse(NodeId node, RangeId left, Generation leftGeneration, RangeId right) {
        SimNode refusing = state.nodes.get(node);
        refusing.mergeRefusals =
                List.of(new NodeReport.MergeRefusal(left, leftGeneration, right, "no"));
        refusing.changed = true;
    }

    void thaw(RangeId rangeId) {
        SimGroup right = state.groups.get(rangeId);
        Invariant.holds(
                right.frozenFor.isPresent(), "only a frozen range is thawed, not %s", rangeId);
        for (Join join : joins) {
            Invariant.holds(
                    !join.right().equals(rangeId)
                            || !state.groups
                                    .get(join.left())
                                    .generation
                                    .equals(join.leftGeneration()),
                    "range %s is thawed while range %s may absorb it",
                    rangeId,
                    join.left());
        }
        right.generation = right.generation.next();
        right.frozenFor = Optional.empty();
        right.ledSince = state.second;
        state.touch(rangeId);
    }

    /** Leaders that have frozen a range go on: both ranges become one, or all is undone. */
    void due() {
        List<Join> now = joins.stream().filter(join -> join.at() <= state.second).toList();
        for (Join join : now) {
            SimGroup left = state.groups.get(join.left());
            SimGroup right = state.groups.get(join.right());
            boolean possible = left.generation.equals(join.leftGeneration());
            boolean level =
                    right.members.stream().allMatch(member -> state.serves(join.right(), member))
                            && state.random.nextInt(100) >= stallPercent;
            joins.remove(join);
            if (possible && left.isLedBy(join.node())) {
                if (level) {
                    absorb(join, left, right);
                    continue;
                }
                left.generation = left.generation.next();
                left.ledSince = state.second;
                state.touch(join.left());
                possible = false;
            }
            // Another leader may have thawed it meanwhile, and this one leads it again.
            boolean frozen = right.frozenFor.isPresent() && right.generation.equals(join.frozen());
            if (!possible && frozen && right.isLedBy(join.node())) {
                thaw(join.right());
            }
            refuse(join.node(), join.left(), join.leftGeneration(), join.right());
        }
    }

    private void absorb(Join join, SimGroup left, SimGroup right) {
        Invariant.holds(
                right.frozenFor.equals(Optional.of(join.left())),
                "range %s is frozen for range %s",
                join.right(),
                join.left());
        Generation generation =
                left.generation.compareTo(right.generation) > 0
                        ? left.generation.next()
                        : right.generation.next();
        state.history.absorbed(join.left(), generation, join.right());
        left.generation = generation;
        left.bounds = new KeyRange(left.bounds.start(), right.bounds.endExclusive());
        left.ledSince = state.second;
        state.groups.remove(join.right());
        state.restless.remove(join.right());
        state.touch(join.left());
        for (NodeId member : left.members) {
            if (member.equals(join.node()) || !state.network.loses(state.random)) {
                state.takes(state.nodes.get(member), join.left(), true);
            }
        }
    }
}

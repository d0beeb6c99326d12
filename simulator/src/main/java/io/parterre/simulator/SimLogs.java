package io.parterre.simulator;

import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.AppliedSlice;
import io.parterre.server.apply.FrozenRange;
import io.parterre.server.apply.Mutation;
import io.parterre.server.apply.Outcome;
import io.parterre.server.apply.RangeState;
import io.parterre.server.apply.SliceContext;
import io.parterre.server.command.CommandId;
import io.parterre.server.command.LogEntry;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.command.SubmittedCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Effects of commands on ranges, by the server's own rules. A group's log has one entry for each
 * command that changes its range, and followers apply it a little later.
 */
final class SimLogs {
    private final SimState state;

    SimLogs(SimState state) {
        this.state = state;
    }

    /**
     * Applies a command.
     *
     * @param leader node whose replica applies it at once
     * @param onChild called with each child once members have it
     */
    Outcome apply(
            NodeId leader, SimGroup group, ReplicaCommand command, Consumer<SimGroup> onChild) {
        RangeDescriptor before = group.descriptor;
        AppliedSlice applied =
                new RangeState(state.hosted(before))
                        .apply(
                                new LogEntry(
                                        1,
                                        List.of(
                                                new SubmittedCommand(
                                                        new CommandId(1, 1), 1, command))),
                                1,
                                0,
                                new SliceContext(key -> Optional.empty(), this::frozen));
        List<SimGroup> children = new ArrayList<>();
        List<RangeId> absorbed = new ArrayList<>();
        for (Mutation mutation : applied.mutations()) {
            if (mutation instanceof Mutation.PutRange put) {
                group.descriptor = put.range().descriptor();
            } else if (mutation instanceof Mutation.PutChild put) {
                children.add(child(before, put.range().descriptor()));
            } else if (mutation instanceof Mutation.AbsorbNeighbour taken) {
                absorbed.add(taken.range().descriptor().rangeId());
            }
        }
        if (before.isFrozen() && !group.descriptor.isFrozen()) {
            mayBeThawed(before);
        }
        if (!before.bounds().equals(group.bounds()) || before.isFrozen() != group.isFrozen()) {
            group.ledSince = state.second;
        }
        absorbed.forEach(right -> absorb(group, right));
        if (!children.isEmpty() || !absorbed.isEmpty()) {
            follow(leader, group, absorbed.isEmpty());
        }
        before.members().forEach(member -> state.nodes.get(member).changed = true);
        state.touch(before.rangeId());
        children.forEach(child -> state.touch(child.rangeId()));
        children.forEach(onChild);
        return applied.outcomes().get(0);
    }

    private SimGroup child(RangeDescriptor parent, RangeDescriptor range) {
        Invariant.holds(
                !state.groups.containsKey(range.rangeId()),
                "range %s is born once",
                range.rangeId());
        SimGroup child = new SimGroup(range);
        child.ledSince = state.second;
        state.groups.put(range.rangeId(), child);
        state.history.splitTookEffect(parent.rangeId(), range.generation(), range.rangeId());
        return child;
    }

    private FrozenRange frozen(RangeDescriptor right, long freezeIndex) {
        SimGroup neighbour = state.groups.get(right.rangeId());
        Invariant.holds(
                neighbour != null && neighbour.descriptor.equals(right),
                "%s is as it was frozen",
                right);
        return new FrozenRange(state.hosted(right), List.of());
    }

    private void absorb(SimGroup left, RangeId right) {
        state.history.absorbed(left.rangeId(), left.generation(), right);
        state.groups.remove(right);
        state.restless.remove(right);
    }

    private void mayBeThawed(RangeDescriptor frozen) {
        SimGroup left = state.groups.get(frozen.frozenFor().orElseThrow());
        Optional<Generation> at = frozen.frozenAt();
        Invariant.holds(
                left == null || at.filter(left.generation()::equals).isEmpty(),
                "range %s is thawed while range %s may absorb it",
                frozen.rangeId(),
                frozen.frozenFor());
    }

    /**
     * Makes members apply the change. They learn of it at once because the leader repeats its
     * message, unless that is lost.
     */
    private void follow(NodeId leader, SimGroup group, boolean surely) {
        for (NodeId member : group.members()) {
            boolean hears = surely || member.equals(leader) || !state.network.loses(state.random);
            if (hears && state.serves(group.rangeId(), member)) {
                state.takes(state.nodes.get(member), group.rangeId(), true);
            }
        }
    }
}

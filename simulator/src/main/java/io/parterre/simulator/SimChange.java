package io.parterre.simulator;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.change.ChangeEffect;
import io.parterre.server.change.ChangeEvent;
import io.parterre.server.change.FollowerState;
import io.parterre.server.change.RangeView;
import io.parterre.server.command.Member;
import io.parterre.server.command.ReplicaCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * A change of ranges that a node leads. Commands are applied in the second in which they are
 * proposed, and answers of other members take a few seconds. An entry's index is the generation
 * that it creates.
 */
final class SimChange implements ChangeNode {
    private static final int COMMAND_MILLIS = 10;
    private static final int SECOND_MILLIS = 1_000;
    private static final int ANSWER_SECONDS_MAX = 3;

    private final SimState state;
    private final SimChanges changes;
    private final SimNode node;
    private final long start;
    private final boolean stalls;
    private final Map<RangeId, SimGroup> groups = new LinkedHashMap<>();

    /**
     * Creates a change that has not begun.
     *
     * @param stalls whether members are too slow to confirm that they have frozen a range
     */
    SimChange(
            SimState state, SimChanges changes, SimNode node, boolean stalls, SimGroup... groups) {
        this.state = state;
        this.changes = changes;
        this.node = node;
        this.start = node.start;
        this.stalls = stalls;
        for (SimGroup group : groups) {
            this.groups.put(group.rangeId(), group);
        }
    }

    @Override
    public boolean runs() {
        return node.up && node.start == start;
    }

    @Override
    public long nowMillis() {
        return state.timeline.nowMillis();
    }

    @Override
    public Map<RangeId, RangeView> views() {
        Map<RangeId, RangeView> views = new LinkedHashMap<>();
        groups.forEach((rangeId, group) -> views.put(rangeId, view(group)));
        return views;
    }

    private RangeView view(SimGroup group) {
        List<FollowerState> followers = new ArrayList<>();
        for (NodeId member : group.members()) {
            if (!member.equals(node.nodeId())) {
                followers.add(
                        new FollowerState(
                                member,
                                index(group, member),
                                state.serves(group.rangeId(), member)
                                        ? Duration.ZERO
                                        : Duration.ofMinutes(1)));
            }
        }
        return new RangeView(
                state.hosted(group.descriptor),
                leads(group),
                group.leader,
                group.generation().value(),
                group.generation().value(),
                followers);
    }

    /**
     * Returns the index up to which the member has applied the range's log; -1 if it has no
     * replica.
     */
    private long index(SimGroup group, NodeId member) {
        SimReplica replica = state.nodes.get(member).replicas.get(group.rangeId());
        return replica == null ? -1 : replica.generation.value();
    }

    /** Returns whether the node leads the range. An absorbed range has no leader. */
    private boolean leads(SimGroup group) {
        return state.groups.containsKey(group.rangeId()) && group.isLedBy(node.nodeId());
    }

    @Override
    public void later(long millis, Runnable happens) {
        state.timeline.in(
                millis,
                () -> {
                    if (runs()) {
                        happens.run();
                    }
                });
    }

    @Override
    public void perform(Runnable effects) {
        effects.run();
    }

    @Override
    public void propose(RangeId rangeId, ReplicaCommand command, Consumer<ChangeEvent> end) {
        SimGroup group = groups.get(rangeId);
        later(
                COMMAND_MILLIS,
                () ->
                        end.accept(
                                leads(group)
                                        ? new ChangeEvent.Applied(
                                                command, changes.apply(node, group, command))
                                        : new ChangeEvent.NotApplied(
                                                command, new TimeoutException("not the leader"))));
    }

    /** Followers learn of the command together with its first proposal. */
    @Override
    public void repeat(RangeId rangeId, ReplicaCommand command) {}

    @Override
    public void ask(ChangeEffect.AskMember question, Consumer<ChangeEvent> answer) {
        long untilMillis = nowMillis() + question.waitMax().toMillis();
        askAgain(1 + state.random.nextInt(ANSWER_SECONDS_MAX), question, untilMillis, answer);
    }

    private void askAgain(
            int seconds,
            ChangeEffect.AskMember question,
            long untilMillis,
            Consumer<ChangeEvent> answer) {
        later(
                (long) seconds * SECOND_MILLIS,
                () -> {
                    SimGroup group = groups.get(question.rangeId());
                    NodeId member = question.member().nodeId();
                    long index = index(group, member);
                    boolean serves =
                            state.serves(question.rangeId(), member)
                                    && !(stalls && group.isFrozen());
                    if (serves && index >= question.index()) {
                        answer.accept(
                                new ChangeEvent.MemberAt(
                                        member, index, group.descriptor.frozenFor()));
                    } else if (serves && nowMillis() < untilMillis) {
                        askAgain(1, question, untilMillis, answer);
                    } else {
                        answer.accept(
                                new ChangeEvent.MemberFailed(
                                        member, new TimeoutException("behind")));
                    }
                });
    }

    /**
     * As lenient as a group can be: it removes any member that its leader is ordered to remove, so
     * only the manager's decision keeps a majority. A change is refused only if no majority would
     * agree to it because a member was lost while the order was in flight.
     */
    @Override
    public void configure(ChangeEffect.Configure wanted, Consumer<ChangeEvent> end) {
        RangeId rangeId = wanted.rangeId();
        SimGroup group = groups.get(rangeId);
        List<NodeId> members = wanted.members().stream().map(Member::nodeId).toList();
        List<NodeId> joins = new ArrayList<>(members);
        joins.removeAll(group.members());
        List<NodeId> leaves = new ArrayList<>(group.members());
        leaves.removeAll(members);
        boolean agreed =
                leaves.stream().noneMatch(leave -> state.isServingDamaged(rangeId, leave))
                        || state.isMajorityServing(rangeId, members);
        boolean there =
                joins.stream()
                        .map(state.nodes::get)
                        .allMatch(join -> join.up && join.replicas.containsKey(rangeId));
        if (!leads(group) || !agreed || !there) {
            end.accept(new ChangeEvent.NotConfigured(new TimeoutException("not configured")));
        } else if (joins.stream().allMatch(join -> state.hasCopy(group, join))) {
            joins.forEach(
                    join ->
                            state.history.copies(
                                    state.nodes.get(join), rangeId, group.generation()));
            end.accept(new ChangeEvent.Configured());
        } else {
            later(SECOND_MILLIS, () -> configure(wanted, end));
        }
    }

    @Override
    public void transfer(RangeId rangeId, NodeId target, Consumer<ChangeEvent> end) {
        SimGroup group = groups.get(rangeId);
        if (leads(group) && group.members().contains(target) && state.serves(rangeId, target)) {
            state.nowLeads(group, target);
            end.accept(new ChangeEvent.Transferred());
        } else {
            end.accept(new ChangeEvent.NotTransferred(new TimeoutException("not transferred")));
        }
    }

    @Override
    public void standForElection(RangeId rangeId) {
        SimGroup group = groups.get(rangeId);
        if (group.leader.isEmpty()
                && state.serves(rangeId, node.nodeId())
                && state.isMajorityServing(rangeId, group.members())) {
            state.nowLeads(group, node.nodeId());
        }
    }

    @Override
    public void beginTransfer(RangeId rangeId, NodeId target) {
        SimGroup group = groups.get(rangeId);
        changes.transferLeadership(node, group, group.generation(), target, () -> {});
    }

    @Override
    public void led(RangeId childId) {}

    @Override
    public void tell(String line) {}
}

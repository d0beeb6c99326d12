package io.parterre.chaos.simulation;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.change.ChangeEffect;
import io.parterre.server.change.ChangeEvent;
import io.parterre.server.change.FollowerState;
import io.parterre.server.change.RangeView;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.command.SubmittedCommand;
import io.parterre.simulator.ChangeNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Replicas of one node that a change of their ranges is about. */
final class ChangedReplicas implements ChangeNode {
    private static final long POLL_MILLIS = 20;
    private static final long TRANSFER_MILLIS = 2_500;

    private final SimulatedServer server;
    private final List<SimulatedReplica> replicas;
    private final long started;
    private final Map<ReplicaCommand, SubmittedCommand> named = new HashMap<>();

    ChangedReplicas(SimulatedServer server, SimulatedReplica... replicas) {
        this.server = server;
        this.replicas = List.of(replicas);
        this.started = server.start;
    }

    @Override
    public boolean runs() {
        return server.up && server.start == started;
    }

    @Override
    public long nowMillis() {
        return server.nowMillis();
    }

    @Override
    public Map<RangeId, RangeView> views() {
        Map<RangeId, RangeView> views = new HashMap<>();
        replicas.forEach(each -> views.put(each.rangeId, view(each)));
        return views;
    }

    private static RangeView view(SimulatedReplica replica) {
        NodeId self = replica.server.nodeId;
        return new RangeView(
                replica.range(),
                replica.isLeading(),
                replica.leader,
                replica.appliedIndex(),
                Math.min(replica.appliedIndex(), replica.log.held(self)),
                replica.log.members().stream()
                        .filter(node -> !node.equals(self))
                        .map(node -> new FollowerState(node, replica.log.held(node), Duration.ZERO))
                        .toList());
    }

    @Override
    public void later(long millis, Runnable happens) {
        server.later(millis, happens);
    }

    @Override
    public void perform(Runnable effects) {
        server.later(server.simulation.conditions.orderMillis(), effects);
    }

    private SimulatedReplica replica(RangeId rangeId) {
        return replicas.stream()
                .filter(each -> each.rangeId.equals(rangeId))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void propose(RangeId rangeId, ReplicaCommand command, Consumer<ChangeEvent> end) {
        server.simulation.trace.note("proposes", server.nodeId, rangeId, command);
        server.simulation.faults.moment(server);
        SubmittedCommand submitted = server.changes.named(command);
        named.put(command, submitted);
        replica(rangeId)
                .propose(
                        submitted,
                        came ->
                                end.accept(
                                        came instanceof ProposalEnd.Applied applied
                                                ? new ChangeEvent.Applied(
                                                        command, applied.outcome())
                                                : new ChangeEvent.NotApplied(
                                                        command,
                                                        new TimeoutException(came.toString()))));
    }

    @Override
    public void repeat(RangeId rangeId, ReplicaCommand command) {
        replica(rangeId).propose(named.get(command), end -> {});
    }

    @Override
    public void configure(ChangeEffect.Configure wanted, Consumer<ChangeEvent> end) {
        server.changes.configure(
                replica(wanted.rangeId()),
                wanted.members(),
                configured ->
                        end.accept(
                                configured
                                        ? new ChangeEvent.Configured()
                                        : new ChangeEvent.NotConfigured(
                                                new TimeoutException("not configured"))));
    }

    /** Like Raft, it waits until the time is over and says no more than whether it still leads. */
    @Override
    public void transfer(RangeId rangeId, NodeId target, Consumer<ChangeEvent> end) {
        SimulatedReplica replica = replica(rangeId);
        server.replication.transfer(replica, target);
        server.later(
                TRANSFER_MILLIS,
                () ->
                        end.accept(
                                replica.leadsByRaft()
                                        ? new ChangeEvent.NotTransferred(
                                                new TimeoutException("not transferred"))
                                        : new ChangeEvent.Transferred()));
    }

    @Override
    public void standForElection(RangeId rangeId) {
        server.replication.stand(replica(rangeId), false);
    }

    @Override
    public void beginTransfer(RangeId rangeId, NodeId target) {
        SimulatedReplica replica = replica(rangeId);
        server.changes.transferLeadership(replica, replica.descriptor().generation(), target);
    }

    @Override
    public void led(RangeId childId) {
        server.simulation.faults.moment(server);
    }

    @Override
    public void tell(String line) {
        server.simulation.trace.note("tells", server.nodeId, line);
    }

    @Override
    public void ask(ChangeEffect.AskMember question, Consumer<ChangeEvent> answer) {
        NodeId member = question.member().nodeId();
        long untilMillis = server.nowMillis() + question.waitMax().toMillis();
        server.simulation.network.sendCall(
                server.nodeId,
                member,
                () ->
                        await(
                                server.simulation.server(member),
                                question,
                                untilMillis,
                                event ->
                                        server.simulation.network.sendCall(
                                                member,
                                                server.nodeId,
                                                () -> answer.accept(event))));
    }

    /** Answers once the node has the entry applied and on disk, or when the time is up. */
    private static void await(
            SimulatedServer at,
            ChangeEffect.AskMember question,
            long untilMillis,
            Consumer<ChangeEvent> answer) {
        NodeId member = question.member().nodeId();
        Optional<SimulatedReplica> replica =
                at.find(question.rangeId()).filter(each -> each.hasGroup);
        if (replica.filter(each -> each.hasDurably(question.index())).isPresent()) {
            answer.accept(
                    new ChangeEvent.MemberAt(
                            member,
                            replica.get().appliedIndex(),
                            replica.get().descriptor().frozenFor()));
        } else if (replica.isPresent() && at.nowMillis() < untilMillis) {
            at.later(POLL_MILLIS, () -> await(at, question, untilMillis, answer));
        } else {
            answer.accept(new ChangeEvent.MemberFailed(member, new TimeoutException("behind")));
        }
    }
}

package io.parterre.chaos.simulation;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.change.ChangeDriver;
import io.parterre.server.change.ChangeEffect;
import io.parterre.server.change.ChangeEvent;
import io.parterre.server.change.FollowerState;
import io.parterre.server.change.RangeView;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.command.SubmittedCommand;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Runs a change's driver as a node does, in simulated time; between what it decides and what it
 * does about that, the thread may pause.
 */
final class ChangeRun<S> {
    private static final long POLL_MILLIS = 20;
    private static final long TRANSFER_MILLIS = 2_500;

    private final SimulatedServer server;
    private final ChangeDriver<S> driver;
    private final List<SimulatedReplica> replicas;
    private final Consumer<S> done;
    private final long started;
    private final Map<ReplicaCommand, SubmittedCommand> named = new HashMap<>();
    private final Queue<ChangeEvent> events = new ArrayDeque<>();
    private S state;
    private boolean pauses;
    private boolean ended;
    private long steps;

    ChangeRun(
            SimulatedServer server,
            ChangeDriver<S> driver,
            List<SimulatedReplica> replicas,
            Consumer<S> done) {
        this.server = server;
        this.driver = driver;
        this.replicas = replicas;
        this.done = done;
        this.started = server.start;
        this.state = driver.initial();
    }

    void begin() {
        on(new ChangeEvent.Begun());
    }

    private void on(ChangeEvent event) {
        if (server.up && server.start == started) {
            events.add(event);
            drain();
        }
    }

    private void drain() {
        while (!pauses && !ended && !events.isEmpty()) {
            step(events.remove());
        }
    }

    private void step(ChangeEvent event) {
        long step = ++steps;
        Map<RangeId, RangeView> views = new HashMap<>();
        replicas.forEach(each -> views.put(each.rangeId, view(each)));
        ChangeDriver.Step<S> next = driver.on(state, event, views, nanos(server.nowMillis()));
        state = next.next();
        if (next.wakeAtNanos().isPresent()) {
            long atMillis = Duration.ofNanos(next.wakeAtNanos().getAsLong()).toMillis();
            server.later(
                    Math.max(1, atMillis - server.nowMillis()),
                    () -> {
                        if (steps == step) {
                            on(new ChangeEvent.Woken());
                        }
                    });
        }
        if (next.effects().isEmpty()) {
            return;
        }
        pauses = true;
        server.later(
                server.simulation.conditions.orderMillis(),
                () -> {
                    next.effects().forEach(this::perform);
                    pauses = false;
                    drain();
                });
    }

    private static long nanos(long millis) {
        return Duration.ofMillis(millis).toNanos();
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

    private SimulatedReplica replica(RangeId rangeId) {
        return replicas.stream()
                .filter(each -> each.rangeId.equals(rangeId))
                .findFirst()
                .orElseThrow();
    }

    private void perform(ChangeEffect effect) {
        if (effect instanceof ChangeEffect.Propose propose) {
            propose(replica(propose.rangeId()), propose.command());
        } else if (effect instanceof ChangeEffect.Repeat repeat) {
            replica(repeat.rangeId()).propose(named.get(repeat.command()), end -> {});
        } else if (effect instanceof ChangeEffect.AskMember ask) {
            ask(ask);
        } else if (effect instanceof ChangeEffect.Configure configure) {
            server.changes.configure(
                    replica(configure.rangeId()),
                    configure.members(),
                    configured ->
                            on(
                                    configured
                                            ? new ChangeEvent.Configured()
                                            : new ChangeEvent.NotConfigured(
                                                    new TimeoutException("not configured"))));
        } else if (effect instanceof ChangeEffect.StandForElection stand) {
            server.replication.stand(replica(stand.rangeId()), false);
        } else if (effect instanceof ChangeEffect.BeginTransfer begin) {
            SimulatedReplica replica = replica(begin.rangeId());
            server.changes.transferLead(replica, replica.descriptor().generation(), begin.target());
        } else if (effect instanceof ChangeEffect.Led) {
            server.simulation.faults.moment(server);
        } else if (effect instanceof ChangeEffect.Transfer transfer) {
            transfer(replica(transfer.rangeId()), transfer.target());
        } else if (effect instanceof ChangeEffect.Tell tell) {
            server.simulation.trace.note("tells", server.nodeId, tell.line());
        } else {
            ended = true;
            done.accept(state);
        }
    }

    private void propose(SimulatedReplica replica, ReplicaCommand command) {
        server.simulation.trace.note("proposes", server.nodeId, replica.rangeId, command);
        server.simulation.faults.moment(server);
        SubmittedCommand submitted = server.changes.named(command);
        named.put(command, submitted);
        replica.propose(
                submitted,
                end ->
                        on(
                                end instanceof ProposalEnd.Applied applied
                                        ? new ChangeEvent.Applied(command, applied.outcome())
                                        : new ChangeEvent.NotApplied(
                                                command, new TimeoutException(end.toString()))));
    }

    /** Like Raft, it waits until the time is over and says no more than whether it still leads. */
    private void transfer(SimulatedReplica replica, NodeId target) {
        server.replication.transfer(replica, target);
        server.later(
                TRANSFER_MILLIS,
                () ->
                        on(
                                replica.leadsByRaft()
                                        ? new ChangeEvent.NotTransferred(
                                                new TimeoutException("not transferred"))
                                        : new ChangeEvent.Transferred()));
    }

    private void ask(ChangeEffect.AskMember ask) {
        NodeId member = ask.member().nodeId();
        long untilMillis = server.nowMillis() + ask.waitMax().toMillis();
        server.simulation.network.sendCall(
                server.nodeId,
                member,
                () ->
                        await(
                                server.simulation.server(member),
                                ask,
                                untilMillis,
                                event ->
                                        server.simulation.network.sendCall(
                                                member, server.nodeId, () -> on(event))));
    }

    /** Answers once the node has the entry applied and on disk, or when the time is up. */
    private static void await(
            SimulatedServer at,
            ChangeEffect.AskMember ask,
            long untilMillis,
            Consumer<ChangeEvent> answer) {
        NodeId member = ask.member().nodeId();
        Optional<SimulatedReplica> replica = at.find(ask.rangeId()).filter(each -> each.hasGroup);
        if (replica.filter(each -> each.hasDurably(ask.index())).isPresent()) {
            answer.accept(
                    new ChangeEvent.MemberAt(
                            member,
                            replica.get().appliedIndex(),
                            replica.get().descriptor().frozenFor()));
        } else if (replica.isPresent() && at.nowMillis() < untilMillis) {
            at.later(POLL_MILLIS, () -> await(at, ask, untilMillis, answer));
        } else {
            answer.accept(new ChangeEvent.MemberFailed(member, new TimeoutException("behind")));
        }
    }
}

package io.parterre.server.lead;

import io.parterre.concurrent.Alarm;
import io.parterre.crash.CrashHook;
import io.parterre.proto.range.Command;
import io.parterre.range.RangeId;
import io.parterre.server.change.ChangeDriver;
import io.parterre.server.change.ChangeEffect;
import io.parterre.server.change.ChangeEvent;
import io.parterre.server.change.RangeView;
import io.parterre.server.command.RangeCommandCodec;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.members.MemberProgress;
import io.parterre.server.propose.ProposalResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one change of ranges: carries out the driver's effects and reports each result to the
 * driver, one event after the other, on whatever thread brings the event. Safe for any thread;
 * never blocks.
 *
 * @param <S> state of the driver
 */
final class ChangeRun<S> {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeRun.class);

    /** Collaborators shared by all runs of a node. */
    record Tools(
            GroupMembers groups,
            OwnCommands commands,
            MemberProgress progress,
            LongSupplier nanoTicker,
            Alarm alarm,
            CrashHook<CrashPoint> crash) {}

    private final Tools tools;
    private final ChangeDriver<S> driver;
    private final Map<RangeId, LedReplica> replicas;
    private final CompletableFuture<Boolean> end = new CompletableFuture<>();
    private final Queue<ChangeEvent> events = new ArrayDeque<>();

    /** Whether a thread is processing events; guarded by {@code events}. */
    private boolean taken;

    // Used only by the thread that processes events.
    private final Map<ReplicaCommand, Command> named = new HashMap<>();
    private Runnable cancelAlarm = () -> {};
    private S state;

    ChangeRun(Tools tools, ChangeDriver<S> driver, Collection<LedReplica> replicas) {
        this.tools = tools;
        this.driver = driver;
        this.replicas =
                replicas.stream()
                        .collect(
                                Collectors.toMap(
                                        replica -> replica.descriptor().rangeId(),
                                        replica -> replica));
        this.state = driver.initial();
    }

    /** Begins the change; called once. The future ends with whether the change did anything. */
    CompletableFuture<Boolean> begin() {
        on(new ChangeEvent.Begun());
        return end;
    }

    /** Returns the driver's last state; called after the end. */
    S state() {
        return state;
    }

    private void on(ChangeEvent event) {
        synchronized (events) {
            events.add(event);
            if (taken) {
                return;
            }
            taken = true;
        }
        while (true) {
            ChangeEvent next;
            synchronized (events) {
                next = events.poll();
                if (next == null) {
                    taken = false;
                    return;
                }
            }
            try {
                step(next);
            } catch (RuntimeException failure) {
                end.completeExceptionally(failure);
            }
        }
    }

    private void step(ChangeEvent event) {
        if (end.isDone()) {
            return;
        }
        long nowNanos = tools.nanoTicker().getAsLong();
        Map<RangeId, RangeView> views = new HashMap<>();
        replicas.forEach((rangeId, replica) -> views.put(rangeId, replica.view()));
        ChangeDriver.Step<S> step = driver.on(state, event, views, nowNanos);
        cancelAlarm.run();
        state = step.next();
        step.effects().forEach(this::perform);
        cancelAlarm =
                step.wakeAtNanos().isEmpty() || end.isDone()
                        ? () -> {}
                        : tools.alarm()
                                .in(
                                        Duration.ofNanos(
                                                Math.max(
                                                        0,
                                                        step.wakeAtNanos().getAsLong() - nowNanos)),
                                        () -> on(new ChangeEvent.Woken()));
    }

    private void perform(ChangeEffect effect) {
        if (effect instanceof ChangeEffect.Propose propose) {
            propose(propose.rangeId(), propose.command());
        } else if (effect instanceof ChangeEffect.Repeat repeat) {
            tools.commands()
                    .propose(
                            replicas.get(repeat.rangeId()),
                            named.get(repeat.command()),
                            result -> {});
        } else if (effect instanceof ChangeEffect.AskMember ask) {
            ask(ask);
        } else if (effect instanceof ChangeEffect.Configure configure) {
            configure(configure);
        } else if (effect instanceof ChangeEffect.Transfer transfer) {
            transfer(transfer);
        } else if (effect instanceof ChangeEffect.Tell tell) {
            LOG.atLevel(tell.level()).log(tell.line());
        } else if (effect instanceof ChangeEffect.End ended) {
            end.complete(ended.changed());
        } else if (effect instanceof ChangeEffect.Fail failed) {
            end.completeExceptionally(failed.failure());
        }
    }

    private void propose(RangeId rangeId, ReplicaCommand command) {
        Command message = tools.commands().named(RangeCommandCodec.toProto(command));
        named.put(command, message);
        tools.commands()
                .propose(
                        replicas.get(rangeId),
                        message,
                        result ->
                                on(
                                        result instanceof ProposalResult.Applied applied
                                                ? new ChangeEvent.Applied(
                                                        command, applied.outcome())
                                                : new ChangeEvent.NotApplied(
                                                        command,
                                                        new IOException(
                                                                "not applied: " + result))));
    }

    private void configure(ChangeEffect.Configure configure) {
        try {
            tools.groups()
                    .configure(configure.rangeId(), configure.members())
                    .whenComplete(
                            (done, failure) -> {
                                if (failure == null && configure.recorded()) {
                                    tools.crash().reached(CrashPoint.MEMBERS_CONFIGURED);
                                }
                                on(
                                        failure == null
                                                ? new ChangeEvent.Configured()
                                                : new ChangeEvent.NotConfigured(failure));
                            });
        } catch (IOException gone) {
            on(new ChangeEvent.NotConfigured(gone));
        }
    }

    private void transfer(ChangeEffect.Transfer transfer) {
        try {
            tools.groups()
                    .transfer(transfer.rangeId(), transfer.target())
                    .whenComplete(
                            (done, failure) ->
                                    on(
                                            failure == null
                                                    ? new ChangeEvent.Transferred()
                                                    : new ChangeEvent.NotTransferred(failure)));
        } catch (IOException gone) {
            end.completeExceptionally(gone);
        }
    }

    private void ask(ChangeEffect.AskMember ask) {
        tools.progress()
                .await(ask.member(), ask.rangeId(), ask.index(), ask.waitMax())
                .whenComplete(
                        (applied, failure) ->
                                on(
                                        failure == null
                                                ? new ChangeEvent.MemberAt(
                                                        ask.member().nodeId(),
                                                        applied.appliedIndex(),
                                                        applied.frozenFor())
                                                : new ChangeEvent.MemberFailed(
                                                        ask.member().nodeId(), failure)));
    }
}

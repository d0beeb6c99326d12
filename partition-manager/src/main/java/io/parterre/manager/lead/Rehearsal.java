package io.parterre.manager.lead;

import io.parterre.concurrent.DaemonThreads;
import io.parterre.manager.plan.decide.WhatIf;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.policy.PolicyTable;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Simulates the planner for operators, one request at a time, on a thread of its own: many rounds
 * would keep the loop from answering nodes. Thread-safe.
 */
public final class Rehearsal implements AutoCloseable {
    /** Less than the time that operators wait for an answer. */
    private static final Duration TIME_MAX = Duration.ofSeconds(3);

    private static final Duration IDLE = Duration.ofSeconds(10);

    private final LongSupplier nanos;
    private final ThreadPoolExecutor thread =
            new ThreadPoolExecutor(
                    0,
                    1,
                    IDLE.toMillis(),
                    TimeUnit.MILLISECONDS,
                    new SynchronousQueue<>(),
                    DaemonThreads.named("manager-rehearsal"));

    Rehearsal(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * The result of a simulation.
     *
     * @param changes of the policy, as text
     */
    public record Rehearsed(List<String> changes, WhatIf.Outcome outcome) {
        public Rehearsed {
            changes = List.copyOf(changes);
        }
    }

    /**
     * Simulates the planner's next rounds.
     *
     * @param settings values of the policy to be tried
     * @param down nodes that the simulation takes for dead
     */
    CompletableFuture<LeaderAnswer<Rehearsed>> play(
            ClusterView view, Map<String, String> settings, Set<NodeId> down, int roundsMax) {
        Policy policy;
        try {
            policy = PolicyTable.with(view.policy(), settings);
        } catch (IllegalArgumentException e) {
            return CompletableFuture.completedFuture(
                    new LeaderAnswer.Invalid<>(ReasonCode.SETTING_INVALID.of(e.getMessage())));
        }
        for (NodeId node : down) {
            if (view.map().node(node).isEmpty()) {
                return CompletableFuture.completedFuture(
                        new LeaderAnswer.NotFound<>(ReasonCode.NODE_DOES_NOT_EXIST.of(node)));
            }
        }
        ClusterView own = view.copy();
        long began = nanos.getAsLong();
        BooleanSupplier goOn = () -> nanos.getAsLong() - began < TIME_MAX.toNanos();
        try {
            return CompletableFuture.supplyAsync(
                    () ->
                            new LeaderAnswer.Given<>(
                                    new Rehearsed(
                                            PolicyTable.changes(own.policy(), policy),
                                            WhatIf.play(own, policy, down, roundsMax, goOn))),
                    thread);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedFuture(new LeaderAnswer.Busy<>());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}

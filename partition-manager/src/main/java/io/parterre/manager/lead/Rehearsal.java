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
 * Plays through what operators ask about, one at a time on a thread of its own: many rounds of the
 * planner would keep the loop from its nodes. Safe for any thread.
 */
public final class Rehearsal implements AutoCloseable {
    /** Less than operators wait for an answer. */
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
     * What would be decided.
     *
     * @param changes of the policy, in words
     */
    public record Rehearsed(List<String> changes, WhatIf.Outcome outcome) {
        public Rehearsed {
            changes = List.copyOf(changes);
        }
    }

    /**
     * Plays it through.
     *
     * @param settings of the policy that are to be tried
     * @param down nodes that are dead in it
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

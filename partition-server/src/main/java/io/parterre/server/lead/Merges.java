package io.parterre.server.lead;

import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.server.change.CommandDriver;
import io.parterre.server.change.EndedMerges;
import io.parterre.server.change.MergeDriver;
import io.parterre.server.change.MergeOrder;
import io.parterre.server.metrics.PartitionServerMetrics.MemberStep;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges ranges that this node leads, as ordered and by {@link MergeDriver}. Nothing here blocks.
 * Safe for any thread.
 */
final class Merges {
    private static final Logger LOG = LoggerFactory.getLogger(Merges.class);

    private static final MergeDriver.Limits LIMITS =
            new MergeDriver.Limits(
                    Duration.ofSeconds(2), OwnCommands.WAIT_MAX, Duration.ofMillis(2));

    private final GroupMembers groups;
    private final NodeId self;
    private final RangeChanges ranges;
    private final ChangeRun.Tools tools;
    private final EndedMerges ended = new EndedMerges();

    /** Creates the merges of a node. */
    Merges(GroupMembers groups, NodeId self, RangeChanges ranges, ChangeRun.Tools tools) {
        this.groups = groups;
        this.self = self;
        this.ranges = ranges;
        this.tools = tools;
    }

    /**
     * Begins a merge; does not wait for its end.
     *
     * @param right this node's replica of the right range, if any
     * @return the verdict on the order, or the recent result of the same order; empty if this node
     *     does not lead the left range
     */
    Optional<MergeOrder.Verdict> merge(
            LedReplica left, MergeOrder order, Optional<? extends LedReplica> right)
            throws IOException {
        if (!left.isLeading()) {
            return Optional.empty();
        }
        Optional<MergeOrder.Verdict> before = ended.answer(order, tools.nanoTicker().getAsLong());
        if (before.isPresent()) {
            return before;
        }
        MergeOrder.Verdict verdict = verdict(left, order, right);
        LOG.debug(
                "merge ordered rangeId={} generation={} rightRangeId={} verdict={}",
                order.leftId(),
                order.leftFrom(),
                order.rightId(),
                verdict);
        if (verdict == MergeOrder.Verdict.MERGE) {
            // Both ranges are marked, so that no other change of either is under way.
            ranges.begin(
                    left,
                    MemberStep.BOUNDS,
                    () -> {
                        CompletableFuture<Boolean> end = new CompletableFuture<>();
                        boolean begun =
                                ranges.begin(
                                        right.get(),
                                        MemberStep.BOUNDS,
                                        () -> {
                                            run(left, order, right.get())
                                                    .whenComplete(
                                                            (changed, failure) ->
                                                                    end(end, changed, failure));
                                            return end;
                                        });
                        if (!begun) {
                            end.complete(false);
                        }
                        return end;
                    });
        } else if (verdict == MergeOrder.Verdict.THAW) {
            thaw(right.get(), right.get().descriptor().generation());
        }
        return Optional.of(verdict);
    }

    /**
     * Begins to thaw a range that is frozen at a generation, so that it takes and serves requests
     * again.
     */
    void thaw(LedReplica replica, Generation frozen) {
        ranges.begin(
                replica,
                MemberStep.BOUNDS,
                () ->
                        CommandDriver.thaw(replica.descriptor(), frozen, OwnCommands.WAIT_MAX)
                                .map(thaw -> new ChangeRun<>(tools, thaw, List.of(replica)).begin())
                                .orElseGet(() -> CompletableFuture.completedFuture(false)));
    }

    private MergeOrder.Verdict verdict(
            LedReplica left, MergeOrder order, Optional<? extends LedReplica> right)
            throws IOException {
        return order.verdict(
                side(left), right.isPresent() ? Optional.of(side(right.get())) : Optional.empty());
    }

    private MergeOrder.Side side(LedReplica replica) throws IOException {
        // Before the descriptor: if the group is gone, the range was absorbed meanwhile.
        GroupMembers.Peers peers = groups.peers(replica.descriptor().rangeId());
        return new MergeOrder.Side(
                replica.descriptor(), replica.isLeading(), peers.current(), peers.previous());
    }

    private static void end(CompletableFuture<Boolean> end, Boolean changed, Throwable failure) {
        if (failure == null) {
            end.complete(changed);
        } else {
            end.completeExceptionally(failure);
        }
    }

    private CompletableFuture<Boolean> run(LedReplica left, MergeOrder order, LedReplica right) {
        try {
            // Decided again, because from here on no other change of the two ranges is under way.
            if (verdict(left, order, Optional.of(right)) != MergeOrder.Verdict.MERGE) {
                return CompletableFuture.completedFuture(false);
            }
        } catch (IOException gone) {
            return CompletableFuture.failedFuture(gone);
        }
        LOG.info(
                "merge begins rangeId={} generation={} rightRangeId={} frozen={}",
                order.leftId(),
                order.leftFrom(),
                order.rightId(),
                right.descriptor().isFrozen());
        long beganNanos = tools.nanoTicker().getAsLong();
        ChangeRun<MergeDriver.State> run =
                new ChangeRun<>(tools, new MergeDriver(order, self, LIMITS), List.of(left, right));
        return run.begin()
                .whenComplete((changed, failure) -> ended(order, run.state(), beganNanos));
    }

    private void ended(MergeOrder order, MergeDriver.State state, long beganNanos) {
        if (state instanceof MergeDriver.State.Ended end) {
            long nowNanos = tools.nanoTicker().getAsLong();
            ended.ended(order, end.verdict(), nowNanos);
            LOG.info(
                    "merge ended rangeId={} rightRangeId={} verdict={} tookMillis={}",
                    order.leftId(),
                    order.rightId(),
                    end.verdict(),
                    TimeUnit.NANOSECONDS.toMillis(nowNanos - beganNanos));
        }
    }
}

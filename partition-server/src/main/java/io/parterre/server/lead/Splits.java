package io.parterre.server.lead;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.change.ChildLeaders;
import io.parterre.server.change.CommandDriver;
import io.parterre.server.change.SplitOrder;
import io.parterre.server.metrics.PartitionServerMetrics.MemberStep;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Splits ranges that this node leads, as ordered. May wait for the disk while it searches for split
 * points, and for nothing else. Safe for any thread.
 */
final class Splits {
    private static final Logger LOG = LoggerFactory.getLogger(Splits.class);

    private final GroupMembers groups;
    private final RangeChanges ranges;
    private final ChangeRun.Tools tools;
    private final BiFunction<KeyRange, Integer, List<Key>> chooser;
    private final ChildLeaders childLeaders = new ChildLeaders();

    /**
     * Creates the splits of a node.
     *
     * @param chooser finds split points for a number of parts of about equal size in bytes; returns
     *     an empty list if there are none
     */
    Splits(
            GroupMembers groups,
            RangeChanges ranges,
            ChangeRun.Tools tools,
            BiFunction<KeyRange, Integer, List<Key>> chooser) {
        this.groups = groups;
        this.ranges = ranges;
        this.tools = tools;
        this.chooser = chooser;
    }

    /**
     * Begins a split; does not wait for its end.
     *
     * @param children descriptors that this node has under the children's ids
     * @return the verdict on the order; empty if this node does not lead the range
     */
    Optional<SplitOrder.Verdict> split(
            LedReplica replica, SplitOrder order, List<RangeDescriptor> children)
            throws IOException {
        if (!replica.isLeading()) {
            return Optional.empty();
        }
        List<Key> splitPoints =
                order.splitPoint()
                        .map(List::of)
                        .orElseGet(
                                () -> chooser.apply(replica.descriptor().bounds(), order.parts()));
        SplitOrder.Verdict verdict = verdict(replica, order, splitPoints, children);
        LOG.debug(
                "split ordered rangeId={} generation={} childRangeIds={} verdict={}",
                order.rangeId(),
                order.from(),
                order.childIds(),
                verdict);
        if (verdict == SplitOrder.Verdict.SPLIT) {
            ranges.begin(
                    replica, MemberStep.BOUNDS, () -> begin(replica, order, splitPoints, children));
        }
        return Optional.of(verdict);
    }

    /**
     * Returns and removes the target leader of a child whose split this node began; asked once,
     * when this node leads the child.
     */
    Optional<NodeId> takeChildLeader(RangeId childId) {
        return childLeaders.take(childId);
    }

    private SplitOrder.Verdict verdict(
            LedReplica replica,
            SplitOrder order,
            List<Key> splitPoints,
            List<RangeDescriptor> children)
            throws IOException {
        GroupMembers.Peers peers = groups.peers(replica.descriptor().rangeId());
        return order.verdict(
                replica.descriptor(), splitPoints, peers.current(), peers.previous(), children);
    }

    private CompletableFuture<Boolean> begin(
            LedReplica replica,
            SplitOrder order,
            List<Key> splitPoints,
            List<RangeDescriptor> children)
            throws IOException {
        // Decided again, because from here on no other change of the range is under way.
        if (verdict(replica, order, splitPoints, children) != SplitOrder.Verdict.SPLIT) {
            return CompletableFuture.completedFuture(false);
        }
        order.childLeader()
                .ifPresent(
                        leader ->
                                childLeaders.put(
                                        order.firstChildId(),
                                        leader,
                                        tools.nanoTicker().getAsLong()));
        LOG.info(
                "split begins rangeId={} generation={} childRangeIds={}",
                order.rangeId(),
                order.from(),
                order.childIds().subList(0, splitPoints.size()));
        CommandDriver split = order.driver(splitPoints, OwnCommands.WAIT_MAX);
        return new ChangeRun<>(tools, split, List.of(replica)).begin();
    }
}

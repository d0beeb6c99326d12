package io.parterre.server.raft;

import com.google.protobuf.ByteString;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.Split;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.Outcome;
import io.parterre.server.metrics.PartitionServerMetrics.MemberStep;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Splits ranges that this node leads, as ordered. May wait for the disk when it has to choose
 * where, and for nothing else. Safe for any thread.
 */
final class Splits {
    private static final Logger LOG = LoggerFactory.getLogger(Splits.class);

    private final RaftHost host;
    private final OwnCommands commands;
    private final RangeChanges ranges;
    private final Function<KeyRange, Optional<Key>> chooser;
    private final Map<RangeId, NodeId> childLeaders = new ConcurrentHashMap<>();

    /**
     * Splits on this node.
     *
     * @param chooser finds a cut that leaves half of the bytes on each side; empty: there is none
     */
    Splits(
            RaftHost host,
            OwnCommands commands,
            RangeChanges ranges,
            Function<KeyRange, Optional<Key>> chooser) {
        this.host = host;
        this.commands = commands;
        this.ranges = ranges;
        this.chooser = chooser;
    }

    /**
     * Begins a split; does not wait for the end.
     *
     * @param child what this node has under the child's id
     * @return what it made of the order; empty: nothing, for it does not lead the range
     */
    Optional<SplitOrder.Verdict> split(
            Replica replica, SplitOrder order, Optional<RangeDescriptor> child) throws IOException {
        if (!replica.isLeading()) {
            return Optional.empty();
        }
        Optional<Key> cut = order.cut().or(() -> chooser.apply(replica.descriptor().bounds()));
        SplitOrder.Verdict verdict = verdict(replica, order, cut, child);
        LOG.debug(
                "split ordered rangeId={} generation={} childRangeId={} verdict={}",
                order.rangeId(),
                order.from(),
                order.childId(),
                verdict);
        if (verdict == SplitOrder.Verdict.SPLIT) {
            ranges.begin(replica, MemberStep.BOUNDS, () -> begin(replica, order, cut, child));
        }
        return Optional.of(verdict);
    }

    /** Who is to lead a child of a split that was begun here; asked once, when it is led here. */
    Optional<NodeId> takeChildLeader(RangeId childId) {
        return Optional.ofNullable(childLeaders.remove(childId));
    }

    private SplitOrder.Verdict verdict(
            Replica replica, SplitOrder order, Optional<Key> cut, Optional<RangeDescriptor> child)
            throws IOException {
        RaftHost.Peers peers = host.peers(replica.groupId());
        return order.verdict(replica.descriptor(), cut, peers.current(), peers.previous(), child);
    }

    private CompletableFuture<Boolean> begin(
            Replica replica, SplitOrder order, Optional<Key> cut, Optional<RangeDescriptor> child)
            throws IOException {
        // Again, since from here on nothing else of the range is under way.
        if (verdict(replica, order, cut, child) != SplitOrder.Verdict.SPLIT) {
            return CompletableFuture.completedFuture(false);
        }
        order.childLeader().ifPresent(leader -> childLeaders.put(order.childId(), leader));
        LOG.info(
                "split begins rangeId={} generation={} childRangeId={}",
                order.rangeId(),
                order.from(),
                order.childId());
        Command command =
                commands.named(
                        Command.newBuilder()
                                .setSplit(
                                        Split.newBuilder()
                                                .setGeneration(order.from().next().value())
                                                .setCut(
                                                        ByteString.copyFrom(
                                                                cut.orElseThrow().unsafeBytes()))
                                                .setChildRangeId(order.childId().value())));
        return commands.propose(replica, command)
                .thenApply(
                        outcome -> {
                            if (!replica.followers().isEmpty()) {
                                // The others hear that an entry is committed with the next one; a
                                // quiet range would have them wait for it, and its child too.
                                commands.propose(replica, command);
                            }
                            return outcome instanceof Outcome.RangeSplit;
                        });
    }
}

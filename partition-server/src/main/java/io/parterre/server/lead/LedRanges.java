package io.parterre.server.lead;

import io.parterre.concurrent.Alarm;
import io.parterre.crash.CrashHook;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.change.MemberChange;
import io.parterre.server.change.MergeOrder;
import io.parterre.server.change.SplitOrder;
import io.parterre.server.clock.ClockTrust;
import io.parterre.server.command.Member;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.load.SplitPointSearch;
import io.parterre.server.members.MemberProgress;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.rows.StoreSizes;
import io.parterre.server.store.ServerStore;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Changes of the ranges that this node leads: members, leadership, splits and merges; also their
 * old fences and log time. A call begins a change and does not wait for its end. Safe for any
 * thread.
 */
public final class LedRanges {
    private final MemberChanges members;
    private final Splits splits;
    private final Merges merges;
    private final FenceExpiry fences;
    private final ClockResets clocks;

    private LedRanges(
            MemberChanges members,
            Splits splits,
            Merges merges,
            FenceExpiry fences,
            ClockResets clocks) {
        this.fences = fences;
        this.clocks = clocks;
        this.members = members;
        this.splits = splits;
        this.merges = merges;
    }

    /**
     * Creates the changes of a node that has started.
     *
     * @param senderId sender of the node's own commands in the logs; random for each start
     * @param progress asks nodes how far their replicas are
     * @param onChange called when a change has ended that did something
     */
    public static LedRanges of(
            GroupMembers groups,
            NodeId self,
            long senderId,
            LeadTimes times,
            ServerStore store,
            MemberProgress progress,
            PartitionServerMetrics metrics,
            InstantSource clock,
            LongSupplier nanoTicker,
            Alarm alarm,
            CrashHook<CrashPoint> crash,
            Runnable onChange) {
        OwnCommands commands = new OwnCommands(senderId);
        RangeChanges ranges = new RangeChanges(metrics, nanoTicker, onChange);
        ChangeRun.Tools tools =
                new ChangeRun.Tools(groups, commands, progress, nanoTicker, alarm, crash);
        return new LedRanges(
                new MemberChanges(groups, times, self, ranges, tools),
                new Splits(
                        groups,
                        ranges,
                        tools,
                        (bounds, parts) ->
                                SplitPointSearch.splitPoints(bounds, parts, new StoreSizes(store))),
                new Merges(groups, self, ranges, tools),
                new FenceExpiry(commands, nanoTicker),
                new ClockResets(commands, clock, nanoTicker));
    }

    /** Begins a change of a range's members. */
    public void changeMembers(LedReplica replica, Generation from, List<Member> wanted) {
        members.change(replica, new MemberChange(from, wanted));
    }

    /**
     * Aligns a range's Raft group and its descriptor if a change of members was never recorded.
     *
     * @throws IOException if the group has just gone
     */
    public void align(LedReplica replica) throws IOException {
        members.align(replica);
    }

    /**
     * Removes fences of tables that were deleted long ago from ranges that this node leads.
     * Confined to one thread; waits for nothing.
     *
     * @param hosted all replicas of this node
     */
    public void forgetFences(Collection<? extends LedReplica> hosted) {
        hosted.forEach(fences::look);
        fences.retain(
                hosted.stream()
                        .map(replica -> replica.descriptor().rangeId())
                        .collect(Collectors.toSet()));
    }

    /**
     * Sets back the log time of ranges that this node leads if it is far ahead of the node's clock.
     * Confined to one thread; waits for nothing.
     *
     * @param hosted all replicas of this node
     * @param trust the managers' verdict on the node's clock
     */
    public void resetClocks(Collection<? extends LedReplica> hosted, ClockTrust trust) {
        clocks.look(hosted, trust);
    }

    /**
     * Forgets groups of replicas that are no longer on this node, and since when they have
     * differed.
     */
    public void retain(Set<RangeId> here) {
        members.retain(here);
    }

    /**
     * Returns and removes the target leader of a child that this node leads, if the split's order
     * named one.
     */
    public Optional<NodeId> takeChildLeader(RangeId childId) {
        return splits.takeChildLeader(childId);
    }

    /** Begins a transfer of a range's leadership; does nothing at another generation. */
    public void transferLeadership(LedReplica replica, Generation generation, NodeId target) {
        members.transferLeadership(replica, generation, target);
    }

    /** Gives up leadership of a range, even without another leader and with a change under way. */
    public void stepDown(LedReplica replica) {
        members.stepDown(replica);
    }

    /**
     * Begins a merge of two neighbours.
     *
     * @param right this node's replica under the right range's id, if any
     * @return the verdict on the order; empty if this node does not lead the left range
     * @throws IOException if a Raft group has just gone
     */
    public Optional<MergeOrder.Verdict> merge(
            LedReplica left, MergeOrder order, Optional<? extends LedReplica> right)
            throws IOException {
        return merges.merge(left, order, right);
    }

    /**
     * Begins to thaw a range that is frozen at a generation, so that it takes and serves requests
     * again.
     */
    public void thaw(LedReplica replica, Generation frozen) {
        merges.thaw(replica, frozen);
    }

    /**
     * Begins a split of a range into two or more. Searches for split points on the disk first if
     * the order names none.
     *
     * @param children descriptors that this node has under the children's ids
     * @return the verdict on the order; empty if this node does not lead the range
     * @throws IOException if the range's Raft group has just gone
     */
    public Optional<SplitOrder.Verdict> split(
            LedReplica replica, SplitOrder order, List<RangeDescriptor> children)
            throws IOException {
        return splits.split(replica, order, children);
    }
}

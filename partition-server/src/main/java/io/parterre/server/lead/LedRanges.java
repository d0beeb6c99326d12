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
 * What this node does about ranges it leads: other members, another leader, two ranges in place of
 * one, one in place of two. Whatever it is ordered, it begins and does not wait for the end. Safe
 * for any thread.
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
     * Of a node that has started.
     *
     * @param senderId names the node's own commands in the logs; random for each start
     * @param progress tells how far replicas of other nodes are
     * @param onChange told when a change has ended
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

    /** Gives a range other members. */
    public void changeMembers(LedReplica replica, Generation from, List<Member> wanted) {
        members.change(replica, new MemberChange(from, wanted));
    }

    /**
     * Has a range's Raft group and its descriptor agree again where a change of members was never
     * recorded.
     *
     * @throws IOException if the group has just gone
     */
    public void align(LedReplica replica) throws IOException {
        members.align(replica);
    }

    /**
     * Has ranges that this node leads forget fences of tables that were deleted long ago. For one
     * thread; waits for nothing.
     *
     * @param hosted all that are here
     */
    public void forgetFences(Collection<? extends LedReplica> hosted) {
        hosted.forEach(fences::look);
        fences.retain(
                hosted.stream()
                        .map(replica -> replica.descriptor().rangeId())
                        .collect(Collectors.toSet()));
    }

    /**
     * Has ranges that this node leads set their log time back that is far ahead of its clock. For
     * one thread; waits for nothing.
     *
     * @param hosted all that are here
     */
    public void resetClocks(Collection<? extends LedReplica> hosted, ClockTrust trust) {
        clocks.look(hosted, trust);
    }

    /** Forgets how long groups of replicas have differed that are not here any more. */
    public void retain(Set<RangeId> here) {
        members.retain(here);
    }

    /** Who is to lead a child that this node leads first, if the order of its split said so. */
    public Optional<NodeId> takeChildLeader(RangeId childId) {
        return splits.takeChildLeader(childId);
    }

    /** Hands a range over. */
    public void transferLead(LedReplica replica, Generation generation, NodeId target) {
        members.transferLead(replica, generation, target);
    }

    /** Leads a range no more, even without another leader and with a change under way. */
    public void stepDown(LedReplica replica) {
        members.stepDown(replica);
    }

    /**
     * Makes two neighbours one.
     *
     * @param right what this node has under the right one's id
     * @return what it made of the order; empty: nothing, for it does not lead the left one
     * @throws IOException if a Raft group has just gone
     */
    public Optional<MergeOrder.Verdict> merge(
            LedReplica left, MergeOrder order, Optional<? extends LedReplica> right)
            throws IOException {
        return merges.merge(left, order, right);
    }

    /** Lets a range that is frozen at a generation take and serve requests again. */
    public void thaw(LedReplica replica, Generation frozen) {
        merges.thaw(replica, frozen);
    }

    /**
     * Splits a range in two, or more; looks for split points first, on the disk, if the order names
     * none.
     *
     * @param children what this node has under the children's ids
     * @return what it made of the order; empty: nothing, for it does not lead the range
     * @throws IOException if its Raft group has just gone
     */
    public Optional<SplitOrder.Verdict> split(
            LedReplica replica, SplitOrder order, List<RangeDescriptor> children)
            throws IOException {
        return splits.split(replica, order, children);
    }
}

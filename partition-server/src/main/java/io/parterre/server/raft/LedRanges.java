package io.parterre.server.raft;

import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.change.MemberChange;
import io.parterre.server.change.MergeOrder;
import io.parterre.server.change.SplitOrder;
import io.parterre.server.clock.ClockTrust;
import io.parterre.server.command.Member;
import io.parterre.server.load.SplitPointSearch;
import io.parterre.server.members.MemberProgress;
import io.parterre.server.rows.StoreSizes;
import io.parterre.server.store.ServerStore;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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

    static LedRanges of(
            RaftHost host,
            RaftConfig config,
            ReplicaFactory factory,
            ServerStore store,
            MemberProgress progress) {
        OwnCommands commands =
                new OwnCommands(factory.clientId().getUuid().getMostSignificantBits());
        RangeChanges ranges =
                new RangeChanges(factory.metrics(), factory.nanoTicker(), factory.onChange());
        ChangeRun.Tools tools =
                new ChangeRun.Tools(
                        host,
                        commands,
                        progress,
                        factory.nanoTicker(),
                        factory.alarm(),
                        factory.crash());
        return new LedRanges(
                new MemberChanges(host, config, factory.self(), ranges, tools),
                new Splits(
                        host,
                        ranges,
                        tools,
                        (bounds, parts) ->
                                SplitPointSearch.splitPoints(bounds, parts, new StoreSizes(store))),
                new Merges(host, ranges, tools),
                new FenceExpiry(commands, factory.nanoTicker()),
                new ClockResets(commands, factory.clock(), factory.nanoTicker()));
    }

    /** Gives a range other members. */
    public void changeMembers(Replica replica, Generation from, List<Member> wanted) {
        members.change(replica, new MemberChange(from, wanted));
    }

    /**
     * Has a range's Raft group and its descriptor agree again where a change of members was never
     * recorded.
     *
     * @throws IOException if the group has just gone
     */
    void align(Replica replica) throws IOException {
        members.align(replica);
    }

    /**
     * Has ranges that this node leads forget fences of tables that were deleted long ago. For one
     * thread; waits for nothing.
     *
     * @param hosted all that are here
     */
    void forgetFences(Collection<Replica> hosted) {
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
    void resetClocks(Collection<Replica> hosted, ClockTrust trust) {
        clocks.look(hosted, trust);
    }

    /** Forgets how long groups of replicas have differed that are not here any more. */
    void retain(Set<RangeId> here) {
        members.retain(here);
    }

    /** Who is to lead a child that this node leads first, if the order of its split said so. */
    Optional<NodeId> takeChildLeader(RangeId childId) {
        return splits.takeChildLeader(childId);
    }

    /** Hands a range over. */
    public void transferLead(Replica replica, Generation generation, NodeId target) {
        members.transferLead(replica, generation, target);
    }

    /** Leads a range no more, even without another leader and with a change under way. */
    void stepDown(Replica replica) {
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
            Replica left, MergeOrder order, Optional<Replica> right) throws IOException {
        return merges.merge(left, order, right);
    }

    /** Lets a range that is frozen at a generation take and serve requests again. */
    public void thaw(Replica replica, Generation frozen) {
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
            Replica replica, SplitOrder order, List<RangeDescriptor> children) throws IOException {
        return splits.split(replica, order, children);
    }
}

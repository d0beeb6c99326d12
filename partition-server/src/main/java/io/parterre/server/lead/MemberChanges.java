package io.parterre.server.lead;

import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.change.ChangeDriver;
import io.parterre.server.change.FollowerState;
import io.parterre.server.change.GroupAlignment;
import io.parterre.server.change.MemberChange;
import io.parterre.server.change.TransferDriver;
import io.parterre.server.metrics.PartitionServerMetrics.MemberStep;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Changes members and leadership of the ranges that this node leads. Nothing here blocks. A change
 * that does not end in time is given up, and the manager orders it again. Safe for any thread.
 */
final class MemberChanges {
    private static final Logger LOG = LoggerFactory.getLogger(MemberChanges.class);

    /** Attempts to transfer leadership go on for this many of the longest election timeouts. */
    private static final int TRANSFER_TIMEOUTS = 5;

    private final GroupMembers groups;
    private final LeadTimes times;
    private final NodeId self;
    private final RangeChanges ranges;
    private final ChangeRun.Tools tools;
    private final Map<RangeId, Mismatch> misfits = new ConcurrentHashMap<>();

    /**
     * A group that differs from the descriptor, and the time since which it has differed in this
     * way.
     */
    private record Mismatch(Generation generation, Set<NodeId> group, long sinceNanos) {
        boolean isSameAs(Generation other, Set<NodeId> members) {
            return generation.equals(other) && group.equals(members);
        }
    }

    /** Creates the changes of a node. */
    MemberChanges(
            GroupMembers groups,
            LeadTimes times,
            NodeId self,
            RangeChanges ranges,
            ChangeRun.Tools tools) {
        this.groups = groups;
        this.times = times;
        this.self = self;
        this.ranges = ranges;
        this.tools = tools;
    }

    /** Begins a change, unless a change of the range is under way. */
    void change(LedReplica replica, MemberChange change) {
        ranges.begin(replica, MemberStep.MEMBERS, () -> step(replica, change));
    }

    private CompletableFuture<Boolean> step(LedReplica replica, MemberChange change)
            throws IOException {
        RangeId rangeId = replica.descriptor().rangeId();
        GroupMembers.Peers peers = groups.peers(replica.descriptor().rangeId());
        MemberChange.Step step =
                change.next(replica.descriptor(), peers.current(), peers.previous(), self);
        LOG.atLevel(step.isWork() ? Level.INFO : Level.DEBUG)
                .log(
                        "change of members rangeId={} from={} members={} step={}",
                        rangeId,
                        change.from(),
                        change.members(),
                        step);
        return run(
                replica,
                change.driver(step, rangeId, times.members().configureMax(), OwnCommands.WAIT_MAX));
    }

    private CompletableFuture<Boolean> run(LedReplica replica, Optional<ChangeDriver<?>> driver) {
        return driver.map(each -> run(replica, each))
                .orElseGet(() -> CompletableFuture.completedFuture(false));
    }

    private CompletableFuture<Boolean> run(LedReplica replica, ChangeDriver<?> driver) {
        return new ChangeRun<>(tools, driver, List.of(replica)).begin();
    }

    /**
     * Aligns the range's Raft group and its descriptor if they have differed for long and no change
     * is under way. Called periodically.
     */
    void align(LedReplica replica) throws IOException {
        RangeDescriptor descriptor = replica.descriptor();
        RangeId rangeId = descriptor.rangeId();
        if (!replica.isLeading() || replica.isFrozen() || ranges.isUnderWay(rangeId)) {
            misfits.remove(rangeId);
            return;
        }
        long nowNanos = tools.nanoTicker().getAsLong();
        GroupMembers.Peers peers = groups.peers(replica.descriptor().rangeId());
        GroupAlignment wanted = alignment(descriptor, peers);
        if (wanted.step() == GroupAlignment.Step.NOTHING) {
            misfits.remove(rangeId);
            return;
        }
        Mismatch mismatch =
                misfits.compute(
                        rangeId,
                        (id, known) ->
                                known != null
                                                && known.isSameAs(
                                                        descriptor.generation(), peers.current())
                                        ? known
                                        : new Mismatch(
                                                descriptor.generation(),
                                                peers.current(),
                                                nowNanos));
        if (nowNanos - mismatch.sinceNanos() < times.members().alignAfter().toNanos()) {
            return;
        }
        misfits.remove(rangeId);
        LOG.warn(
                "raft group differs from its range rangeId={} generation={} members={} group={}"
                        + " step={}",
                rangeId,
                descriptor.generation(),
                descriptor.members(),
                peers.current(),
                wanted.step());
        if (wanted.step() == GroupAlignment.Step.HAND_OVER) {
            handOver(replica, wanted.members());
        } else {
            ranges.begin(replica, MemberStep.GROUP, () -> aligned(replica));
        }
    }

    /** Forgets replicas that are no longer on this node. */
    void retain(Set<RangeId> here) {
        misfits.keySet().retainAll(here);
    }

    private GroupAlignment alignment(RangeDescriptor descriptor, GroupMembers.Peers peers) {
        return GroupAlignment.of(
                Set.copyOf(descriptor.members()), peers.current(), peers.previous(), self);
    }

    private void handOver(LedReplica replica, Set<NodeId> members) {
        replica.followers().stream()
                .filter(follower -> members.contains(follower.nodeId()))
                .max(Comparator.comparingLong(FollowerState::matchIndex))
                .ifPresent(
                        best ->
                                transferLeadership(
                                        replica, replica.descriptor().generation(), best.nodeId()));
    }

    /** Decides again, because from here on nothing else changes the range's members. */
    private CompletableFuture<Boolean> aligned(LedReplica replica) throws IOException {
        HostedRange range = replica.range();
        GroupMembers.Peers peers = groups.peers(replica.descriptor().rangeId());
        return run(
                replica,
                alignment(range.descriptor(), peers)
                        .driver(range, times.members().configureMax(), OwnCommands.WAIT_MAX));
    }

    /**
     * Transfers leadership to another member if that member is fit for it, see {@link
     * TransferDriver}.
     */
    void transferLeadership(LedReplica replica, Generation generation, NodeId target) {
        if (!replica.descriptor().generation().equals(generation) || target.equals(self)) {
            return;
        }
        TransferDriver driver =
                new TransferDriver(
                        replica.descriptor().rangeId(),
                        self,
                        target,
                        times.electionTimeoutMin(),
                        times.electionTimeoutMax().multipliedBy(TRANSFER_TIMEOUTS));
        ranges.begin(replica, MemberStep.LEAD, () -> run(replica, driver));
    }

    /**
     * Gives up leadership of the range. For a leader that cannot write: a change of members that is
     * under way then never ends, and prevents a transfer of leadership.
     */
    void stepDown(LedReplica replica) {
        RangeId rangeId = replica.descriptor().rangeId();
        try {
            // Logged last and by a separate thread, because the log file may be on the disk that is
            // the reason for stepping down, and leadership of other ranges has to be given up as
            // well.
            groups.stepDown(rangeId)
                    .whenCompleteAsync(
                            (done, failure) -> {
                                if (failure == null) {
                                    LOG.warn("leadership given up rangeId={}", rangeId);
                                } else {
                                    LOG.warn(
                                            "leadership not given up rangeId={}", rangeId, failure);
                                }
                            },
                            MemberChanges::aside);
        } catch (IOException gone) {
            LOG.debug("leadership not given up rangeId={}", rangeId, gone);
        }
    }

    private static void aside(Runnable line) {
        Thread thread = new Thread(line, "partition-leadership-transfer");
        thread.setDaemon(true);
        thread.start();
    }
}

package io.parterre.server.raft;

import io.parterre.crash.CrashHook;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.SetMembers;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.change.FollowerState;
import io.parterre.server.change.GroupAlignment;
import io.parterre.server.change.LeadershipTransfer;
import io.parterre.server.change.MemberChange;
import io.parterre.server.command.Member;
import io.parterre.server.command.MemberCodec;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.metrics.PartitionServerMetrics.MemberStep;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Changes members and leads of the ranges that this node leads. Nothing here blocks; what does not
 * come to its end in time is given up, and the manager orders it again. Safe for any thread.
 */
final class MemberChanges {
    private static final Logger LOG = LoggerFactory.getLogger(MemberChanges.class);

    /** A lead is tried to be handed over for so many of the longest election timeouts. */
    private static final int TRANSFER_TIMEOUTS = 5;

    private static final Duration TRANSFER_PAUSE = Duration.ofMillis(50);

    private final RaftHost host;
    private final RaftConfig config;
    private final NodeId self;
    private final OwnCommands commands;
    private final RangeChanges ranges;
    private final LongSupplier nanoTicker;
    private final CrashHook<CrashPoint> crash;
    private final Map<RangeId, Misfit> misfits = new ConcurrentHashMap<>();

    /** A group that differs from the descriptor, and since when it has done so in this way. */
    private record Misfit(Generation generation, Set<NodeId> group, long sinceNanos) {
        boolean isSameAs(Generation other, Set<NodeId> members) {
            return generation.equals(other) && group.equals(members);
        }
    }

    /** Changes on this node. */
    MemberChanges(
            RaftHost host,
            RaftConfig config,
            NodeId self,
            OwnCommands commands,
            RangeChanges ranges,
            LongSupplier nanoTicker,
            CrashHook<CrashPoint> crash) {
        this.host = host;
        this.config = config;
        this.self = self;
        this.commands = commands;
        this.ranges = ranges;
        this.nanoTicker = nanoTicker;
        this.crash = crash;
    }

    /** Begins a change, unless one of the range is under way. */
    void change(Replica replica, MemberChange change) {
        ranges.begin(replica, MemberStep.MEMBERS, () -> step(replica, change));
    }

    private CompletableFuture<Boolean> step(Replica replica, MemberChange change)
            throws IOException {
        RangeId rangeId = replica.descriptor().rangeId();
        RaftHost.Peers peers = host.peers(replica.groupId());
        MemberChange.Step step =
                change.next(replica.descriptor(), peers.current(), peers.previous(), self);
        LOG.atLevel(step.isWork() ? Level.INFO : Level.DEBUG)
                .log(
                        "change of members rangeId={} from={} members={} step={}",
                        rangeId,
                        change.from(),
                        change.members(),
                        step);
        return switch (step) {
            case CONFIGURE ->
                    host.configure(replica.groupId(), change.members())
                            .orTimeout(
                                    config.memberWaits().configureMax().toMillis(),
                                    TimeUnit.MILLISECONDS)
                            .thenCompose(
                                    configured -> {
                                        crash.reached(CrashPoint.MEMBERS_CONFIGURED);
                                        return record(replica, change);
                                    });
            case RECORD -> record(replica, change);
            case DONE, OTHER_GENERATION, WITHOUT_LEADER, UNDER_WAY ->
                    CompletableFuture.completedFuture(false);
        };
    }

    private CompletableFuture<Boolean> record(Replica replica, MemberChange change) {
        SetMembers members =
                SetMembers.newBuilder()
                        .setGeneration(change.from().next().value())
                        .addAllMembers(change.members().stream().map(MemberCodec::toProto).toList())
                        .build();
        return commands.propose(
                        replica, commands.named(Command.newBuilder().setSetMembers(members)))
                .thenApply(recorded -> true);
    }

    /**
     * Has the range's Raft group and its descriptor agree again, if they have differed for long and
     * nobody is at it. To be called now and then.
     */
    void align(Replica replica) throws IOException {
        RangeDescriptor descriptor = replica.descriptor();
        RangeId rangeId = descriptor.rangeId();
        if (!replica.isLeading() || replica.isFrozen() || ranges.isUnderWay(rangeId)) {
            misfits.remove(rangeId);
            return;
        }
        long nowNanos = nanoTicker.getAsLong();
        RaftHost.Peers peers = host.peers(replica.groupId());
        GroupAlignment wanted = alignment(descriptor, peers);
        if (wanted.step() == GroupAlignment.Step.NOTHING) {
            misfits.remove(rangeId);
            return;
        }
        Misfit misfit =
                misfits.compute(
                        rangeId,
                        (id, known) ->
                                known != null
                                                && known.isSameAs(
                                                        descriptor.generation(), peers.current())
                                        ? known
                                        : new Misfit(
                                                descriptor.generation(),
                                                peers.current(),
                                                nowNanos));
        if (nowNanos - misfit.sinceNanos() < config.memberWaits().alignAfter().toNanos()) {
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

    /** Forgets replicas that are not here any more. */
    void retain(Set<RangeId> here) {
        misfits.keySet().retainAll(here);
    }

    private GroupAlignment alignment(RangeDescriptor descriptor, RaftHost.Peers peers) {
        return GroupAlignment.of(
                Set.copyOf(descriptor.members()), peers.current(), peers.previous(), self);
    }

    private void handOver(Replica replica, Set<NodeId> members) {
        replica.followers().stream()
                .filter(follower -> members.contains(follower.nodeId()))
                .max(Comparator.comparingLong(FollowerState::matchIndex))
                .ifPresent(
                        best ->
                                transferLead(
                                        replica, replica.descriptor().generation(), best.nodeId()));
    }

    /** Looks again: from here on nothing else changes the range's members. */
    private CompletableFuture<Boolean> aligned(Replica replica) throws IOException {
        HostedRange range = replica.range();
        RaftHost.Peers peers = host.peers(replica.groupId());
        GroupAlignment wanted = alignment(range.descriptor(), peers);
        List<Member> members =
                range.members().stream()
                        .filter(member -> wanted.members().contains(member.nodeId()))
                        .toList();
        return switch (wanted.step()) {
            case CONFIGURE ->
                    host.configure(replica.groupId(), members)
                            .orTimeout(
                                    config.memberWaits().configureMax().toMillis(),
                                    TimeUnit.MILLISECONDS)
                            .thenApply(configured -> true);
            case RECORD ->
                    record(replica, new MemberChange(range.descriptor().generation(), members));
            case NOTHING, HAND_OVER -> CompletableFuture.completedFuture(false);
        };
    }

    /**
     * Has another member lead, if it is fit to. What fails is tried again for a while: Ratis tells
     * the target once, and a timer that an earlier try left behind may end a later one.
     */
    void transferLead(Replica replica, Generation generation, NodeId target) {
        if (!replica.descriptor().generation().equals(generation) || target.equals(self)) {
            return;
        }
        long endNanos =
                nanoTicker.getAsLong()
                        + config.electionTimeoutMax().multipliedBy(TRANSFER_TIMEOUTS).toNanos();
        ranges.begin(replica, MemberStep.LEAD, () -> transfer(replica, target, endNanos));
    }

    private CompletableFuture<Boolean> transfer(Replica replica, NodeId target, long endNanos)
            throws IOException {
        LeadershipTransfer.Verdict verdict =
                LeadershipTransfer.of(
                        target,
                        replica.followers(),
                        replica.appliedIndex(),
                        config.electionTimeoutMin());
        boolean ready = verdict == LeadershipTransfer.Verdict.READY;
        CompletableFuture<Boolean> transferred =
                ready
                        ? host.transferLead(replica.groupId(), target)
                                .thenApply(done -> true)
                                .exceptionallyCompose(
                                        failure -> look(replica, target, endNanos, failure))
                        : CompletableFuture.completedFuture(false);
        // Last: the log file may be on a disk that does not answer.
        LOG.atLevel(ready ? Level.INFO : Level.DEBUG)
                .log(
                        "leadership transfer rangeId={} to={} verdict={}",
                        replica.descriptor().rangeId(),
                        target,
                        verdict);
        return transferred;
    }

    /** What has come of a try that Ratis calls failed. */
    private CompletableFuture<Boolean> look(
            Replica replica, NodeId target, long endNanos, Throwable failure) {
        LeadershipTransfer.Next next =
                LeadershipTransfer.next(
                        target,
                        replica.isLeading(),
                        replica.leaderHint()
                                .map(NodeId::new)
                                .filter(leader -> !leader.equals(self)),
                        nanoTicker.getAsLong() - endNanos < 0);
        return switch (next) {
            case DONE -> CompletableFuture.completedFuture(true);
            case GIVE_UP -> CompletableFuture.failedFuture(failure);
            case WAIT -> later(() -> look(replica, target, endNanos, failure));
            case AGAIN -> later(() -> transfer(replica, target, endNanos));
        };
    }

    private static CompletableFuture<Boolean> later(RangeChanges.Change step) {
        return CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return step.run();
                            } catch (IOException failure) {
                                return CompletableFuture.<Boolean>failedFuture(failure);
                            }
                        },
                        CompletableFuture.delayedExecutor(
                                TRANSFER_PAUSE.toMillis(), TimeUnit.MILLISECONDS))
                .thenCompose(outcome -> outcome);
    }

    /**
     * Leads the range no more. For a leader that cannot write: a change of members that is under
     * way never ends then, and no lead is transferred meanwhile.
     */
    void stepDown(Replica replica) {
        RangeId rangeId = replica.descriptor().rangeId();
        try {
            // Told of last, and by a thread of its own: the log file may be on the disk that is
            // the reason, and there are other leads to be given up.
            host.stepDown(replica.groupId())
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

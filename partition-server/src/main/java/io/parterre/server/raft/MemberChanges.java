package io.parterre.server.raft;

import io.parterre.crash.CrashHook;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.SetMembers;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.command.CommandCodec;
import io.parterre.server.command.MemberCodec;
import io.parterre.server.crash.CrashPoint;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Changes members and leads of the ranges that this node leads, one change of a range at a time.
 * Nothing here blocks; what does not come to its end in time is given up, and the manager orders it
 * again. Safe for any thread.
 */
final class MemberChanges {
    private static final Logger LOG = LoggerFactory.getLogger(MemberChanges.class);

    /** For a new member to get all data; Ratis itself gives up on one that falls silent. */
    private static final Duration CONFIGURE_WAIT_MAX = Duration.ofMinutes(30);

    private static final Duration RECORD_WAIT_MAX = Duration.ofSeconds(30);

    private final RaftHost host;
    private final RaftConfig config;
    private final NodeId self;
    private final long senderId;
    private final AtomicLong sequences = new AtomicLong();
    private final Runnable onChange;
    private final CrashHook<CrashPoint> crash;
    private final Set<RangeId> underWay = ConcurrentHashMap.newKeySet();

    /**
     * Changes on this node.
     *
     * @param senderId random for each start, names its commands in the logs
     * @param onChange told when a change has ended
     */
    MemberChanges(
            RaftHost host,
            RaftConfig config,
            NodeId self,
            long senderId,
            Runnable onChange,
            CrashHook<CrashPoint> crash) {
        this.host = host;
        this.config = config;
        this.self = self;
        this.senderId = senderId;
        this.onChange = onChange;
        this.crash = crash;
    }

    /** Begins a change, unless one of the range is under way. */
    void change(Replica replica, MemberChange change) {
        begin(replica, "members", () -> step(replica, change));
    }

    private interface Change {
        /** Whether it did anything, once it has ended. */
        CompletableFuture<Boolean> run() throws IOException;
    }

    private void begin(Replica replica, String what, Change change) {
        RangeId rangeId = replica.descriptor().rangeId();
        if (!replica.isLeading() || !underWay.add(rangeId)) {
            return;
        }
        CompletableFuture<Boolean> end;
        try {
            end = change.run();
        } catch (IOException | RuntimeException failure) {
            end = CompletableFuture.failedFuture(failure);
        }
        end.whenComplete(
                (changed, failure) -> {
                    underWay.remove(rangeId);
                    if (failure != null) {
                        LOG.warn("change of {} not done rangeId={}", what, rangeId, failure);
                    } else if (changed) {
                        // Else an order that asks for nothing would be called for at once again.
                        onChange.run();
                    }
                });
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
                            .orTimeout(CONFIGURE_WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS)
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
        long sequence = sequences.incrementAndGet();
        Generation next = change.from().next();
        Command command =
                Command.newBuilder()
                        .setSenderId(senderId)
                        .setSequence(sequence)
                        .setSettledBelow(sequence)
                        .setSetMembers(
                                SetMembers.newBuilder()
                                        .setGeneration(next.value())
                                        .addAllMembers(
                                                change.members().stream()
                                                        .map(MemberCodec::toProto)
                                                        .toList()))
                        .build();
        CompletableFuture<Boolean> recorded = new CompletableFuture<>();
        replica.propose(
                new Proposal(
                        command,
                        CommandCodec.fromProto(command),
                        result -> {
                            if (result instanceof ProposalResult.Applied) {
                                recorded.complete(true);
                            } else {
                                recorded.completeExceptionally(
                                        new IOException("members not recorded: " + result));
                            }
                        }));
        return recorded.orTimeout(RECORD_WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Has another member lead, if it is fit to. */
    void transferLead(Replica replica, Generation generation, NodeId target) {
        if (!replica.descriptor().generation().equals(generation) || target.equals(self)) {
            return;
        }
        begin(
                replica,
                "lead",
                () -> {
                    LeadTransfer.Verdict verdict =
                            LeadTransfer.of(
                                    target,
                                    replica.followers(),
                                    replica.appliedIndex(),
                                    config.electionTimeoutMin());
                    boolean ready = verdict == LeadTransfer.Verdict.READY;
                    LOG.atLevel(ready ? Level.INFO : Level.DEBUG)
                            .log(
                                    "transfer of lead rangeId={} to={} verdict={}",
                                    replica.descriptor().rangeId(),
                                    target,
                                    verdict);
                    return ready
                            ? host.transferLead(replica.groupId(), target)
                                    .thenApply(transferred -> true)
                            : CompletableFuture.completedFuture(false);
                });
    }
}

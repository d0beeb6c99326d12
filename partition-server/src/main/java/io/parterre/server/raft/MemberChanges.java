package io.parterre.server.raft;

import io.parterre.proto.range.Command;
import io.parterre.proto.range.SetMembers;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.command.MemberCodec;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Changes members and leads of the ranges that this node leads. Nothing here blocks; what does not
 * come to its end in time is given up, and the manager orders it again. Safe for any thread.
 */
final class MemberChanges {
    private static final Logger LOG = LoggerFactory.getLogger(MemberChanges.class);

    /** For a new member to get all data; Ratis itself gives up on one that falls silent. */
    private static final Duration CONFIGURE_WAIT_MAX = Duration.ofMinutes(30);

    private final RaftHost host;
    private final RaftConfig config;
    private final NodeId self;
    private final OwnCommands commands;
    private final RangeChanges ranges;

    /** Changes on this node. */
    MemberChanges(
            RaftHost host,
            RaftConfig config,
            NodeId self,
            OwnCommands commands,
            RangeChanges ranges) {
        this.host = host;
        this.config = config;
        this.self = self;
        this.commands = commands;
        this.ranges = ranges;
    }

    /** Begins a change, unless one of the range is under way. */
    void change(Replica replica, MemberChange change) {
        ranges.begin(replica, "members", () -> step(replica, change));
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
                            .thenCompose(configured -> record(replica, change));
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

    /** Has another member lead, if it is fit to. */
    void transferLead(Replica replica, Generation generation, NodeId target) {
        if (!replica.descriptor().generation().equals(generation) || target.equals(self)) {
            return;
        }
        ranges.begin(
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

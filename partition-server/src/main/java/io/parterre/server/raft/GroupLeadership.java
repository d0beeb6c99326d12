package io.parterre.server.raft;

import io.parterre.concurrent.Alarm;
import io.parterre.raftlink.Elections;
import io.parterre.raftlink.VoteGuard;
import io.parterre.range.NodeId;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.impl.FailedTransfer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.util.ProtoUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leadership of the groups of the node's Raft server: stands for election in time, transfers
 * leadership, and leaves elections to the other members after this node has stepped down. Safe for
 * any thread; waits for no disk and no other member.
 */
final class GroupLeadership implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GroupLeadership.class);

    /**
     * Election timeouts for which this node yields after stepping down; enough for a few elections
     * among the others.
     */
    private static final int YIELDED_TIMEOUTS = 10;

    private final RaftServer server;
    private final Duration electionTimeoutMax;
    private final Alarm alarm;
    private final Elections elections;
    private final ClientId clientId = ClientId.randomId();
    private final AtomicLong callIds = new AtomicLong();

    GroupLeadership(
            RaftServer server,
            VoteGuard votes,
            Duration electionTimeoutMax,
            LongSupplier nanoTicker,
            Alarm alarm) {
        this.server = server;
        this.electionTimeoutMax = electionTimeoutMax;
        this.alarm = alarm;
        this.elections = Elections.watch(server, votes, "partition-elections", nanoTicker);
    }

    /**
     * Transfers leadership of a group that this node leads to another member. Nothing is written
     * meanwhile. Fails after two election timeouts, because Ratis may leave the call without an
     * answer.
     */
    CompletableFuture<Void> transfer(RaftGroupId groupId, NodeId target) throws IOException {
        CompletableFuture<RaftClientReply> transfer =
                server.transferLeadershipAsync(
                        request(groupId, RaftPeerId.valueOf(target.value())));
        Runnable cancel =
                alarm.in(
                        electionTimeoutMax.multipliedBy(2),
                        () -> transfer.completeExceptionally(new TimeoutException()));
        return FailedTransfer.forgotten(server.getDivision(groupId), transfer)
                .whenComplete((reply, failure) -> cancel.run())
                .thenAccept(GroupLeadership::requireSuccess);
    }

    /**
     * Steps down as leader of a group, and leaves the next election to the others for some timeouts
     * or until {@link #allowCandidacy}.
     */
    CompletableFuture<Void> stepDown(RaftGroupId groupId) throws IOException {
        elections.yield(groupId, electionTimeoutMax.multipliedBy(YIELDED_TIMEOUTS));
        return server.transferLeadershipAsync(request(groupId, null))
                .thenAccept(GroupLeadership::requireSuccess);
    }

    /** Builds a request for a transfer. Without a target Ratis has the leader step down. */
    private TransferLeadershipRequest request(RaftGroupId groupId, RaftPeerId target) {
        return new TransferLeadershipRequest(
                clientId,
                server.getId(),
                groupId,
                callIds.incrementAndGet(),
                target,
                electionTimeoutMax.toMillis());
    }

    /**
     * Lets this node stand for election like any member, also in groups whose leadership it gave
     * up.
     */
    void allowCandidacy() {
        elections.yieldNoMore();
    }

    /**
     * Makes this node stand for election at once instead of after a timeout. Only for groups in
     * which nobody else can lead: in others it would depose a leader whose lease still runs.
     */
    void electSelf(RaftGroupId groupId) throws IOException {
        RaftServer.Division division = server.getDivision(groupId);
        TermIndex own = TermIndex.valueOf(division.getInfo().getCurrentTerm(), 0);
        boolean accepted =
                server.startLeaderElection(
                                StartLeaderElectionRequestProto.newBuilder()
                                        .setServerRequest(
                                                RaftRpcRequestProto.newBuilder()
                                                        .setRequestorId(
                                                                server.getId().toByteString())
                                                        .setReplyId(server.getId().toByteString())
                                                        .setRaftGroupId(
                                                                ProtoUtils
                                                                        .toRaftGroupIdProtoBuilder(
                                                                                groupId)))
                                        .setLeaderLastEntry(own.toProto())
                                        .build())
                        .getServerReply()
                        .getSuccess();
        if (!accepted) {
            LOG.info("election left to the timeout groupId={}", groupId);
        }
    }

    static void requireSuccess(RaftClientReply reply) {
        if (!reply.isSuccess()) {
            throw new CompletionException(reply.getException());
        }
    }

    @Override
    public void close() {
        elections.close();
    }
}

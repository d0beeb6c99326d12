package io.parterre.server.raft;

import io.parterre.crash.CrashHook;
import io.parterre.range.RangeId;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.propose.ProposedEntry;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.ServerNotReadyException;
import org.apache.ratis.server.RaftServer;

/**
 * Submits log entries of one group to Raft in this process, without serialization or another
 * thread. Safe for any thread; never blocks.
 *
 * @param clientId identifies this node's proposals, together with numbers of {@code callIds}
 * @param division the group; empty if the replica has none
 */
record EntrySubmission(
        RaftGroupId groupId,
        RaftPeerId self,
        ClientId clientId,
        AtomicLong callIds,
        Supplier<Optional<RaftServer.Division>> division,
        CrashHook<CrashPoint> crash) {
    /**
     * Submits an entry. The future ends once the entry is applied here; it fails if Raft has not
     * taken the entry, or may not have.
     */
    CompletableFuture<Void> submit(ProposedEntry entry) {
        RaftClientRequest request =
                RaftClientRequest.newBuilder()
                        .setClientId(clientId)
                        .setServerId(self)
                        .setGroupId(groupId)
                        .setCallId(callIds.incrementAndGet())
                        .setMessage(new EntryMessage(entry))
                        .setType(RaftClientRequest.writeRequestType())
                        .build();
        try {
            if (division.get().orElse(null) instanceof RaftClientAsynchronousProtocol raft) {
                CompletableFuture<RaftClientReply> reply = raft.submitClientRequestAsync(request);
                crash.reached(CrashPoint.AFTER_LOG_APPEND);
                return reply.thenCompose(EntrySubmission::ended);
            }
            return CompletableFuture.failedFuture(
                    new ServerNotReadyException(
                            "range " + RangeId.ofGroupId(groupId.getUuid()) + " starts"));
        } catch (IOException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private static CompletableFuture<Void> ended(RaftClientReply reply) {
        return reply.isSuccess()
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.failedFuture(reply.getException());
    }
}

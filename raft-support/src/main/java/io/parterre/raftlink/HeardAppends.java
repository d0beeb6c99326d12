package io.parterre.raftlink;

import io.parterre.concurrent.Alarm;
import java.io.IOException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.ProtoUtils;

/**
 * Watches the appends that leaders send to the followers of a node, and lets entries pass only
 * while the disk has room for them. Ratis 3.3.0 keeps only the time of the last call of any kind,
 * which votes and refused entries change too. Ratis does not keep the leader's commit index. Safe
 * for any thread.
 *
 * <p>Each call carries the commit indexes of all members, and the leader's is among them. The
 * call's own field is no substitute. Ratis 3.3.0 lowers that field to what the follower has after
 * the call (0 in a heartbeat that overtakes entries), so a follower that lags would believe itself
 * level.
 *
 * @param listener is notified of the calls that followers have accepted
 * @param room bytes of the disk that logs may still use
 * @param nanoTicker time in nanoseconds from any origin
 * @param alarm delays the answer of a refusal
 */
public record HeardAppends(
        AppendListener listener, EntryRoom room, LongSupplier nanoTicker, Alarm alarm) {
    /** A leader whose entries are refused calls again at once, so the refusal is delayed. */
    private static final Duration REFUSED_AFTER = Duration.ofMillis(500);

    /** Returns the server as the network sees it. */
    public RaftServer watched(RaftServer server) {
        return CalledServer.by(
                (proxy, method, arguments) -> {
                    if (!(CalledServer.request(arguments)
                            instanceof AppendEntriesRequestProto request)) {
                        return CalledServer.invoke(server, method, arguments);
                    }
                    if (isWithoutRoom(request)) {
                        return refused(method);
                    }
                    long atNanos = nanoTicker.getAsLong();
                    Object result = CalledServer.invoke(server, method, arguments);
                    heed(request, atNanos, result);
                    return result;
                });
    }

    /** A heartbeat always passes, so that the follower keeps its leader and its rows stay fresh. */
    private boolean isWithoutRoom(AppendEntriesRequestProto request) {
        return request.getEntriesCount() > 0 && !room.take(request.getSerializedSize());
    }

    private Object refused(Method method) throws IOException {
        IOException refusal = new IOException("the disk is full");
        if (method.getReturnType() != CompletableFuture.class) {
            throw refusal;
        }
        CompletableFuture<Object> answer = new CompletableFuture<>();
        alarm.in(
                REFUSED_AFTER,
                () -> answer.completeExceptionally(new CompletionException(refusal)));
        return answer;
    }

    private void heed(AppendEntriesRequestProto request, long atNanos, Object result) {
        if (result instanceof CompletableFuture<?> future) {
            future.thenAccept(reply -> heed(request, atNanos, reply));
        } else if (result instanceof AppendEntriesReplyProto reply
                && reply.getResult() == AppendResult.SUCCESS) {
            committed(request)
                    .ifPresent(
                            index ->
                                    listener.taken(
                                            ProtoUtils.toRaftGroupId(
                                                    request.getServerRequest().getRaftGroupId()),
                                            atNanos,
                                            request.getLeaderTerm(),
                                            index));
        }
    }

    /** Returns the last entry that the leader had committed; empty: the call does not state it. */
    private static OptionalLong committed(AppendEntriesRequestProto request) {
        ByteString leader = request.getServerRequest().getRequestorId();
        return request.getCommitInfosList().stream()
                .filter(info -> info.getServer().getId().equals(leader))
                .mapToLong(CommitInfoProto::getCommitIndex)
                .findFirst();
    }
}

package io.parterre.raftlink;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.ProtoUtils;

/**
 * Watches what leaders send to the followers of a node, and lets entries pass only as long as the
 * disk has room for them. Ratis itself keeps only the time of its last call of any kind, which
 * votes and refused entries move as well, and does not keep what the leader had committed by then.
 * Safe for any thread.
 *
 * <p>What it had committed is among the positions of all members that come with each call. The
 * call's own field is cut to what the follower has after it (0 in a heartbeat that overtakes
 * entries, in Ratis 3.3.0): a follower that lags would take itself to be level by it.
 *
 * @param nanoTicker time in nanoseconds from any origin
 */
public record HeardAppends(AppendListener listener, EntryRoom room, LongSupplier nanoTicker) {
    /** Whoever is refused entries calls again at once. */
    private static final long REFUSED_AFTER_MILLIS = 500;

    /** The server as its network sees it. */
    public RaftServer watched(RaftServer server) {
        return (RaftServer)
                Proxy.newProxyInstance(
                        RaftServer.class.getClassLoader(),
                        new Class<?>[] {RaftServer.class},
                        (proxy, method, arguments) -> {
                            if (arguments != null
                                    && arguments.length > 0
                                    && arguments[0] instanceof AppendEntriesRequestProto entries
                                    && isWithoutRoom(entries)) {
                                return refused(method);
                            }
                            long atNanos = nanoTicker.getAsLong();
                            Object result;
                            try {
                                result = method.invoke(server, arguments);
                            } catch (InvocationTargetException failure) {
                                throw failure.getCause();
                            }
                            if (arguments != null
                                    && arguments.length > 0
                                    && arguments[0] instanceof AppendEntriesRequestProto request) {
                                heed(request, atNanos, result);
                            }
                            return result;
                        });
    }

    /** A heartbeat always passes: the leader is followed, and what is applied is as new. */
    private boolean isWithoutRoom(AppendEntriesRequestProto request) {
        return request.getEntriesCount() > 0 && !room.take(request.getSerializedSize());
    }

    private static Object refused(Method method) throws IOException {
        IOException refusal = new IOException("the disk is full");
        if (method.getReturnType() != CompletableFuture.class) {
            throw refusal;
        }
        return CompletableFuture.runAsync(
                () -> {
                    throw new CompletionException(refusal);
                },
                CompletableFuture.delayedExecutor(REFUSED_AFTER_MILLIS, TimeUnit.MILLISECONDS));
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

    /** Last entry that the leader had committed; empty: it does not say. */
    private static OptionalLong committed(AppendEntriesRequestProto request) {
        ByteString leader = request.getServerRequest().getRequestorId();
        return request.getCommitInfosList().stream()
                .filter(info -> info.getServer().getId().equals(leader))
                .mapToLong(CommitInfoProto::getCommitIndex)
                .findFirst();
    }
}

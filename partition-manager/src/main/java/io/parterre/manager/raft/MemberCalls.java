package io.parterre.manager.raft;

import io.parterre.crash.CrashHook;
import io.parterre.raftlog.VoteFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.ProtoUtils;

/**
 * What the other managers ask of this one, answered no sooner than the term and vote that the
 * answer tells of are kept, see {@link VoteFile}: a manager that lost one would vote a second time
 * in a term. Safe for any thread.
 */
final class MemberCalls {
    private final Path log;
    private final CrashHook<MapCrashPoint> crash;
    private final Consumer<Throwable> onFailure;

    /** Highest term that is on disk. */
    private final AtomicLong durableTerm = new AtomicLong(-1);

    /**
     * Calls to a manager's Raft server.
     *
     * @param log the folder of Ratis's files
     * @param onFailure told when a vote or term could not be made durable
     */
    MemberCalls(Path log, CrashHook<MapCrashPoint> crash, Consumer<Throwable> onFailure) {
        this.log = log;
        this.crash = crash;
        this.onFailure = onFailure;
    }

    /** The server as its network sees it. */
    RaftServer guarded(RaftServer server) {
        return (RaftServer)
                Proxy.newProxyInstance(
                        RaftServer.class.getClassLoader(),
                        new Class<?>[] {RaftServer.class},
                        (proxy, method, arguments) -> answer(server, method, arguments));
    }

    private Object answer(RaftServer server, Method method, Object[] arguments) throws Throwable {
        Object request = arguments == null || arguments.length == 0 ? null : arguments[0];
        if (request instanceof RequestVoteRequestProto vote && !vote.getPreVote()) {
            crash.reached(MapCrashPoint.MAP_BEFORE_VOTE);
            Object reply = invoke(server, method, arguments);
            // Not noted as the term on disk: a candidate that is no member does not move it.
            sync();
            crash.reached(MapCrashPoint.MAP_AFTER_VOTE);
            return reply;
        }
        Object reply = invoke(server, method, arguments);
        if (request instanceof AppendEntriesRequestProto append) {
            return afterSync(append.getLeaderTerm(), whenSynced(server, append, reply));
        } else if (request instanceof InstallSnapshotRequestProto install) {
            return afterSync(install.getLeaderTerm(), reply);
        }
        return reply;
    }

    private Object invoke(RaftServer server, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(server, arguments);
        } catch (InvocationTargetException failure) {
            tellIfOfDisk(failure.getCause());
            throw failure.getCause();
        }
    }

    private void tellIfOfDisk(Throwable failure) {
        // Refusals of Ratis's own are other kinds.
        if (failure.getClass() == IOException.class || failure instanceof FileSystemException) {
            onFailure.accept(failure);
        }
    }

    /**
     * Ratis answers a repeat at once when it has the entries in memory, be they on disk or not: of
     * a disk that hangs or has failed, as if it had written them. The leader asks again.
     */
    private static Object whenSynced(
            RaftServer server, AppendEntriesRequestProto append, Object reply) {
        if (append.getEntriesCount() == 0 || !(reply instanceof CompletableFuture<?> future)) {
            return reply;
        }
        long last = append.getEntries(append.getEntriesCount() - 1).getIndex();
        RaftGroupId groupId = ProtoUtils.toRaftGroupId(append.getServerRequest().getRaftGroupId());
        return future.thenApply(
                answered -> {
                    try {
                        if (answered instanceof AppendEntriesReplyProto told
                                && told.getResult() == AppendResult.SUCCESS
                                && server.getDivision(groupId).getRaftLog().getFlushIndex()
                                        < last) {
                            throw new IOException("entries up to " + last + " are not on disk");
                        }
                    } catch (IOException failure) {
                        throw new UncheckedIOException(failure);
                    }
                    return answered;
                });
    }

    private Object afterSync(long term, Object reply) {
        if (term <= durableTerm.get()) {
            return reply;
        }
        if (reply instanceof CompletableFuture<?> future) {
            if (future.isCompletedExceptionally()) {
                // Before anything was appended.
                future.exceptionally(this::ofDisk);
            }
            return future.thenApply(
                    answered -> {
                        syncIfNewer(term);
                        return answered;
                    });
        }
        syncIfNewer(term);
        return reply;
    }

    private <T> T ofDisk(Throwable failure) {
        tellIfOfDisk(failure instanceof CompletionException ? failure.getCause() : failure);
        return null;
    }

    /** This manager is elected, by its own vote too; nothing of its term has been sent yet. */
    void leads(long term) {
        syncIfNewer(term);
        crash.reached(MapCrashPoint.MAP_LEAD_BEGUN);
    }

    private void syncIfNewer(long term) {
        if (durableTerm.get() < term) {
            sync();
            durableTerm.accumulateAndGet(term, Math::max);
        }
    }

    private synchronized void sync() {
        try {
            new VoteFile(log).keep();
        } catch (IOException failure) {
            onFailure.accept(failure);
            throw new UncheckedIOException(failure);
        }
    }
}

package io.parterre.server.raft;

import io.parterre.crash.CrashHook;
import io.parterre.raftlog.VoteFile;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.store.StoreFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.ProtoUtils;

/**
 * What members of its groups ask of this node, answered no sooner than the term and vote that the
 * answer tells of are kept, see {@link VoteFile}. With one that is lost the member would vote a
 * second time in a term, two leaders of one term could follow, and logs that differ under the same
 * index. Safe for any thread.
 */
final class MemberCalls {
    /** Makes the term and vote in a log's folder last. */
    @FunctionalInterface
    interface VoteKeeper {
        void keep(Path folder) throws IOException;
    }

    private interface Step {
        void run() throws IOException;
    }

    private final Path logs;
    private final VoteKeeper votes;
    private final CrashHook<CrashPoint> crash;
    private final Consumer<StoreFailure> onFailure;
    private final Comeback comeback;

    /** Highest term of each group that is on disk. */
    private final Map<RaftGroupId, Long> durableTerms = new ConcurrentHashMap<>();

    /**
     * Calls to a node's Raft server.
     *
     * @param logs where Ratis keeps the groups
     * @param onFailure told when a vote or term could not be made durable
     * @param comeback says where it may vote
     */
    MemberCalls(
            Path logs,
            VoteKeeper votes,
            CrashHook<CrashPoint> crash,
            Consumer<StoreFailure> onFailure,
            Comeback comeback) {
        this.comeback = comeback;
        this.logs = logs;
        this.votes = votes;
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
        if (request instanceof RequestVoteRequestProto vote) {
            requireKnown(server, vote.getServerRequest());
        }
        if (request instanceof RequestVoteRequestProto vote && !vote.getPreVote()) {
            crash.reached(CrashPoint.BEFORE_VOTE);
            Object reply = invokeOnDisk(server, method, arguments);
            // Not noted as the term on disk: a candidate that is no member does not move it.
            sync(group(vote.getServerRequest()));
            crash.reached(CrashPoint.AFTER_VOTE);
            return reply;
        } else if (request instanceof AppendEntriesRequestProto append) {
            return append(append, server, method, arguments);
        } else if (request instanceof InstallSnapshotRequestProto install) {
            Object reply = invoke(server, method, arguments);
            syncIfNewer(group(install.getServerRequest()), install.getLeaderTerm());
            return reply;
        }
        return invoke(server, method, arguments);
    }

    /** Pre-votes are refused too: they would only make the members stand in vain. */
    private void requireKnown(RaftServer server, RaftRpcRequestProto request) throws IOException {
        RaftGroupId groupId = group(request);
        if (comeback.mayVote(groupId)) {
            return;
        }
        comeback.called(
                groupId,
                request.getRequestorId().toStringUtf8(),
                server.getDivision(groupId).getRaftConf().getAllPeers().stream()
                        .map(peer -> peer.getId().toString())
                        .filter(peer -> !peer.equals(server.getId().toString()))
                        .toList());
        if (!comeback.mayVote(groupId)) {
            throw new IOException("no vote in group " + groupId + " before a manager has answered");
        }
    }

    private static Object invoke(RaftServer server, Method method, Object[] arguments)
            throws Throwable {
        try {
            return method.invoke(server, arguments);
        } catch (InvocationTargetException failure) {
            throw failure.getCause();
        }
    }

    /** What Ratis could not write is the end of the node, as any failure of the disk. */
    private Object invokeOnDisk(RaftServer server, Method method, Object[] arguments)
            throws Throwable {
        try {
            return invoke(server, method, arguments);
        } catch (IOException failure) {
            tellIfOfDisk(failure);
            throw failure;
        }
    }

    private void tellIfOfDisk(Throwable failure) {
        // Refusals of Ratis's own are other kinds.
        if (failure.getClass() == IOException.class || failure instanceof FileSystemException) {
            onFailure.accept(new StoreFailure("vote of a raft group", failure));
        }
    }

    private Object append(
            AppendEntriesRequestProto append, RaftServer server, Method method, Object[] arguments)
            throws Throwable {
        boolean withEntries = append.getEntriesCount() > 0;
        RaftGroupId groupId = group(append.getServerRequest());
        if (withEntries) {
            crash.reached(CrashPoint.BEFORE_LOG_APPEND);
        }
        Object reply = invoke(server, method, arguments);
        if (withEntries) {
            crash.reached(CrashPoint.AFTER_LOG_APPEND);
        }
        if (reply instanceof CompletableFuture<?> future) {
            if (future.isCompletedExceptionally()) {
                // Before anything was appended.
                future.exceptionally(this::ofDisk);
            }
            return future.thenApply(
                    answered -> {
                        unchecked(() -> syncIfNewer(groupId, append.getLeaderTerm()));
                        if (withEntries) {
                            unchecked(() -> requireSynced(server, groupId, append, answered));
                            crash.reached(CrashPoint.AFTER_LOG_SYNC);
                        }
                        return answered;
                    });
        }
        syncIfNewer(groupId, append.getLeaderTerm());
        return reply;
    }

    /**
     * Ratis answers a repeat at once when it has the entries in memory, be they on disk or not: of
     * a disk that hangs or has failed, as if it had written them. The leader asks again.
     */
    private static void requireSynced(
            RaftServer server,
            RaftGroupId groupId,
            AppendEntriesRequestProto append,
            Object answered)
            throws IOException {
        long last = append.getEntries(append.getEntriesCount() - 1).getIndex();
        if (answered instanceof AppendEntriesReplyProto reply
                && reply.getResult() == AppendResult.SUCCESS
                && server.getDivision(groupId).getRaftLog().getFlushIndex() < last) {
            throw new IOException("entries up to " + last + " are not on disk");
        }
    }

    private <T> T ofDisk(Throwable failure) {
        tellIfOfDisk(failure instanceof CompletionException ? failure.getCause() : failure);
        return null;
    }

    private static void unchecked(Step step) {
        try {
            step.run();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static RaftGroupId group(RaftRpcRequestProto request) {
        return ProtoUtils.toRaftGroupId(request.getRaftGroupId());
    }

    /**
     * The node is elected, by its own vote too; nothing of its term has been sent yet.
     *
     * @param term that it leads
     */
    void leads(RaftGroupId groupId, long term) {
        unchecked(() -> syncIfNewer(groupId, term));
        crash.reached(CrashPoint.LEAD_BEGUN);
    }

    private void syncIfNewer(RaftGroupId groupId, long term) throws IOException {
        if (durableTerms.getOrDefault(groupId, -1L) < term) {
            sync(groupId);
            durableTerms.merge(groupId, term, Math::max);
        }
    }

    private synchronized void sync(RaftGroupId groupId) throws IOException {
        try {
            votes.keep(logs.resolve(groupId.getUuid().toString()).resolve("current"));
        } catch (NoSuchFileException failure) {
            // The replica was removed meanwhile: whoever asked gets no answer, and that is all.
            throw failure;
        } catch (IOException failure) {
            onFailure.accept(new StoreFailure("vote of raft group " + groupId, failure));
            throw failure;
        }
    }
}

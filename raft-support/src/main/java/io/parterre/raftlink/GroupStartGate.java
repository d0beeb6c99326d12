package io.parterre.raftlink;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.exceptions.ServerNotReadyException;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.ProtoUtils;

/**
 * Refuses other members' calls in a group that is being added to a running server.
 *
 * <p>Ratis 3.3.0 passes calls to a group as soon as the group begins to start. A leader's call then
 * makes the group a follower. The start does the same again and fails ({@code previous != null} in
 * {@code RoleInfo.updateAndGet}). Ratis drops the group with its folder still locked, so the group
 * cannot be added again before the process ends. A caller retries after the refusal.
 *
 * <p>Safe for any thread.
 */
public final class GroupStartGate {
    private static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(10);

    // Both guarded by this.
    private final Map<RaftGroupId, Integer> closures = new HashMap<>();
    private final Map<RaftGroupId, Integer> callers = new HashMap<>();

    /**
     * Refuses calls in a group until the closure ends. Waits at most ten seconds for calls that
     * came in before; a server without the group refuses these calls at once. Closures of one group
     * are counted.
     *
     * @throws IOException if calls do not end, or the wait is interrupted; the group is not closed
     */
    public Closure close(RaftGroupId groupId) throws IOException {
        Closure closure = new Closure(groupId);
        boolean closed = false;
        try {
            awaitCallers(groupId);
            closed = true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("group not added");
        } finally {
            if (!closed) {
                closure.close();
            }
        }
        return closure;
    }

    /** A period of refusal. Ends by {@link #close}, or with the start passed to {@link #until}. */
    public final class Closure implements AutoCloseable {
        private final RaftGroupId groupId;

        // Guarded by the gate.
        private boolean ended;

        private Closure(RaftGroupId groupId) {
            this.groupId = groupId;
            synchronized (GroupStartGate.this) {
                closures.merge(groupId, 1, Integer::sum);
            }
        }

        /** Ends the closure when the start has ended. {@link #close} then does nothing. */
        public <T> CompletableFuture<T> until(CompletableFuture<T> start) {
            synchronized (GroupStartGate.this) {
                ended = true;
            }
            return start.whenComplete((result, failure) -> open(groupId));
        }

        @Override
        public void close() {
            synchronized (GroupStartGate.this) {
                if (!ended) {
                    ended = true;
                    open(groupId);
                }
            }
        }
    }

    private synchronized void awaitCallers(RaftGroupId groupId)
            throws IOException, InterruptedException {
        long begunNanos = System.nanoTime();
        while (callers.containsKey(groupId)) {
            long leftNanos = WAIT_NANOS_MAX - (System.nanoTime() - begunNanos);
            if (leftNanos <= 0) {
                throw new IOException("calls in group " + groupId + " have not ended");
            }
            TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
        }
    }

    private synchronized void open(RaftGroupId groupId) {
        closures.computeIfPresent(groupId, (id, count) -> count == 1 ? null : count - 1);
    }

    private synchronized void enter(RaftGroupId groupId) throws ServerNotReadyException {
        if (closures.containsKey(groupId)) {
            throw new ServerNotReadyException("group " + groupId + " is being started");
        }
        callers.merge(groupId, 1, Integer::sum);
    }

    private synchronized void leave(RaftGroupId groupId) {
        callers.computeIfPresent(groupId, (id, count) -> count == 1 ? null : count - 1);
        if (!callers.containsKey(groupId)) {
            notifyAll();
        }
    }

    /** Returns the server as the network sees it. This proxy is the innermost one. */
    RaftServer guarded(RaftServer server) {
        return CalledServer.by(
                (proxy, method, arguments) -> {
                    Optional<RaftGroupId> groupId = calledGroup(CalledServer.request(arguments));
                    if (groupId.isPresent()) {
                        enter(groupId.get());
                    }
                    try {
                        return CalledServer.invoke(server, method, arguments);
                    } finally {
                        groupId.ifPresent(this::leave);
                    }
                });
    }

    private static Optional<RaftGroupId> calledGroup(Object request) {
        if (request instanceof AppendEntriesRequestProto append) {
            return Optional.of(groupOf(append.getServerRequest()));
        }
        if (request instanceof RequestVoteRequestProto vote) {
            return Optional.of(groupOf(vote.getServerRequest()));
        }
        if (request instanceof InstallSnapshotRequestProto install) {
            return Optional.of(groupOf(install.getServerRequest()));
        }
        if (request instanceof StartLeaderElectionRequestProto election) {
            return Optional.of(groupOf(election.getServerRequest()));
        }
        if (request instanceof ReadIndexRequestProto read) {
            return Optional.of(groupOf(read.getServerRequest()));
        }
        return Optional.empty();
    }

    private static RaftGroupId groupOf(RaftRpcRequestProto request) {
        return ProtoUtils.toRaftGroupId(request.getRaftGroupId());
    }
}

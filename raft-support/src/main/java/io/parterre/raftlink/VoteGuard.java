package io.parterre.raftlink;

import io.parterre.concurrent.Alarm;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.ProtoUtils;

/**
 * Stands before a member's Raft server and orders votes and appends. It corrects Ratis 3.3.0 in
 * three points:
 *
 * <ul>
 *   <li>A vote waits until the lease of the last heard leader has expired. Ratis refuses a pre-vote
 *       while a leader is heard, but the vote that follows may come late, when the leader has been
 *       heard again and may read. The leader's own vote ends its lease and does not wait, so a
 *       group of three transfers leadership at once.
 *   <li>A group's votes and appends are handled one at a time. Ratis lets a vote pass while it
 *       stores entries that it has already taken: a member could vote for a candidate that lacks
 *       the entries and acknowledge the entries afterwards. A write that the old leader then
 *       acknowledges would be lost.
 *   <li>A deposed leader is told so only after its lease. Ratis extends the lease by any answer, a
 *       moment before the leader steps down because of this one.
 * </ul>
 *
 * <p>Safe for any thread. A vote may block its thread for as long as {@code patience} allows.
 */
public final class VoteGuard {
    private final Duration lease;
    private final Duration patience;
    private final LongSupplier nanoTicker;
    private final long startedNanos;
    private final Map<RaftGroupId, Group> groups = new ConcurrentHashMap<>();
    private final Alarm alarm;

    /**
     * Guards a server that starts now. The server may have heard a leader just before it ended, so
     * its first votes wait as well.
     *
     * @param lease duration of a leader's lease; zero if leaders do not read by leases
     * @param patience longest wait of a vote; after it the vote is refused
     * @param nanoTicker time in nanoseconds from any origin
     * @param alarm rings at the end of a lease
     */
    public VoteGuard(Duration lease, Duration patience, LongSupplier nanoTicker, Alarm alarm) {
        this.lease = lease;
        this.patience = patience;
        this.nanoTicker = nanoTicker;
        this.startedNanos = nanoTicker.getAsLong();
        this.alarm = alarm;
    }

    /** Guards a server whose leaders do not read by leases: no vote waits, no answer is late. */
    public static VoteGuard withoutLeases(LongSupplier nanoTicker) {
        return new VoteGuard(Duration.ZERO, Duration.ZERO, nanoTicker, (delay, task) -> () -> {});
    }

    /** The server as the network sees it. */
    public RaftServer guarded(RaftServer server) {
        return (RaftServer)
                Proxy.newProxyInstance(
                        RaftServer.class.getClassLoader(),
                        new Class<?>[] {RaftServer.class},
                        (proxy, method, arguments) -> {
                            Work work =
                                    () -> {
                                        try {
                                            return method.invoke(server, arguments);
                                        } catch (InvocationTargetException failure) {
                                            throw failure.getCause();
                                        }
                                    };
                            Object first =
                                    arguments == null || arguments.length == 0
                                            ? null
                                            : arguments[0];
                            if (first instanceof AppendEntriesRequestProto request) {
                                RaftRpcRequestProto from = request.getServerRequest();
                                return in(from, group -> group.append(from, work));
                            }
                            if (first instanceof RequestVoteRequestProto request
                                    && !request.getPreVote()) {
                                RaftRpcRequestProto from = request.getServerRequest();
                                return in(from, group -> group.vote(from, work));
                            }
                            if (first instanceof StartLeaderElectionRequestProto request) {
                                return in(request.getServerRequest(), group -> group.stand(work));
                            }
                            return work.run();
                        });
    }

    /**
     * This member leads the group from now on. No earlier leader has a lease any more, since the
     * members that voted have waited for its end. A leadership transfer right after this therefore
     * waits for nothing.
     */
    public void leads(RaftGroupId groupId) {
        groups.compute(
                groupId,
                (id, known) -> {
                    Group group = known == null ? new Group() : known;
                    group.lead();
                    return group;
                });
    }

    private Object in(RaftRpcRequestProto request, Call call) throws Throwable {
        RaftGroupId groupId = ProtoUtils.toRaftGroupId(request.getRaftGroupId());
        AtomicBoolean first = new AtomicBoolean();
        Group group =
                groups.compute(
                        groupId,
                        (id, known) -> {
                            first.set(known == null);
                            Group entered = known == null ? new Group() : known;
                            entered.callers++;
                            return entered;
                        });
        if (first.get()) {
            forgetSilent();
        }
        try {
            return call.run(group);
        } finally {
            groups.computeIfPresent(
                    groupId,
                    (id, known) -> {
                        known.callers--;
                        return known.isSilent() ? null : known;
                    });
        }
    }

    /**
     * Forgets groups whose state equals that of a new group. Nothing tells this class that a group
     * no longer exists, and a call may name a group that never existed.
     */
    private void forgetSilent() {
        for (RaftGroupId groupId : groups.keySet()) {
            groups.computeIfPresent(groupId, (id, known) -> known.isSilent() ? null : known);
        }
    }

    /** Number of groups with state. */
    int groups() {
        return groups.size();
    }

    @FunctionalInterface
    private interface Call {
        Object run(Group group) throws Throwable;
    }

    @FunctionalInterface
    private interface Work {
        Object run() throws Throwable;
    }

    private final class Group {
        private ByteString leader = ByteString.EMPTY;
        private long heardNanos = startedNanos;
        private volatile OptionalLong ledNanos = OptionalLong.empty();

        /** Guarded by the map's lock of the group. */
        private int callers;

        /**
         * Whether no call is in the group, and no vote would wait for a lease. The caller holds the
         * map's lock of the group; every call that was in the group has held that lock since.
         */
        boolean isSilent() {
            return callers == 0 && nanoTicker.getAsLong() - heardNanos >= lease.toNanos();
        }

        synchronized Object append(RaftRpcRequestProto request, Work work) throws Throwable {
            Object answer = work.run();
            if (isRefused(answer)) {
                return later(answer);
            }
            leader = request.getRequestorId();
            // Not the time of arrival: this member may have led until just before the append.
            heardNanos = nanoTicker.getAsLong();
            return answer;
        }

        /** Whether the append is refused; Ratis completes refusals at once. */
        private boolean isRefused(Object answer) {
            Object reply =
                    answer instanceof CompletableFuture<?> future
                                    && future.isDone()
                                    && !future.isCompletedExceptionally()
                            ? future.getNow(null)
                            : answer;
            return reply instanceof AppendEntriesReplyProto proto
                    && proto.getResult() == AppendResult.NOT_LEADER;
        }

        private Object later(Object answer) {
            if (!(answer instanceof CompletableFuture<?> refused) || lease.isZero()) {
                return answer;
            }
            CompletableFuture<Object> afterLease = new CompletableFuture<>();
            alarm.in(lease, () -> afterLease.complete(refused.getNow(null)));
            return afterLease;
        }

        /** Takes no lock: Ratis holds a lock here for which votes wait under this group's lock. */
        void lead() {
            ledNanos = OptionalLong.of(nanoTicker.getAsLong());
        }

        /** An order to stand makes the member vote for itself: it waits for appends like a vote. */
        synchronized Object stand(Work work) throws Throwable {
            return work.run();
        }

        synchronized Object vote(RaftRpcRequestProto request, Work work) throws Throwable {
            try {
                awaitLease(request);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("vote not given");
            }
            return work.run();
        }

        /** Waits for the lease, in the thread of the call; appends pass meanwhile. */
        private synchronized void awaitLease(RaftRpcRequestProto request)
                throws IOException, InterruptedException {
            long begunNanos = nanoTicker.getAsLong();
            for (long left = leftNanos(request); left > 0; left = leftNanos(request)) {
                if (nanoTicker.getAsLong() - begunNanos > patience.toNanos()) {
                    throw new IOException(
                            "no vote for "
                                    + request.getRequestorId().toStringUtf8()
                                    + ": "
                                    + leader.toStringUtf8()
                                    + " is heard and leads");
                }
                wait(left / 1_000_000, (int) (left % 1_000_000));
            }
        }

        private long leftNanos(RaftRpcRequestProto request) {
            OptionalLong led = ledNanos;
            boolean ledSince = led.isPresent() && led.getAsLong() - heardNanos >= 0;
            return ledSince || request.getRequestorId().equals(leader)
                    ? 0
                    : lease.toNanos() - (nanoTicker.getAsLong() - heardNanos);
        }
    }
}

package io.parterre.raftlink;

import io.parterre.concurrent.Alarm;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
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
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.impl.LostLeader;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.ProtoUtils;

/**
 * Guards a member's Raft server and orders votes and appends. Corrects Ratis 3.3.0 in four points:
 *
 * <ul>
 *   <li>A vote waits until the lease of the last known leader has expired. Ratis refuses a pre-vote
 *       while a leader is heard, but the vote that follows may come late, when the leader has been
 *       heard again and may read. The leader's own vote ends its lease and does not wait, so a
 *       group of three transfers leadership at once.
 *   <li>A group's votes and appends are handled one at a time. Ratis lets a vote pass while it
 *       stores entries that it has already accepted. A member could vote for a candidate that lacks
 *       the entries and acknowledge the entries afterwards. A write that the old leader then
 *       acknowledges would be lost.
 *   <li>A deposed leader is told so only after its lease. Ratis extends the lease by any answer, a
 *       moment before the leader steps down because of this answer.
 *   <li>A pre-vote is granted once the lease is over, if the leader's connection was closed. Ratis
 *       refuses it for the whole election timeout.
 * </ul>
 *
 * <p>A lease is as long as the leader has stated in its last append ({@link LeaseClaim}).
 *
 * <p>Safe for any thread. A vote may block its thread for as long as {@code patience} allows.
 */
public final class VoteGuard {
    private final LeaseTimes leases;
    private final Duration patience;
    private final AppendConnections connections;
    private final LongSupplier nanoTicker;
    private final long startedNanos;
    private final Map<RaftGroupId, Group> groups = new ConcurrentHashMap<>();
    private final Alarm alarm;

    /**
     * Guards a server that starts now. The server may have heard a leader just before its last
     * process ended, so its first votes wait as well.
     *
     * @param leases leases of the leaders here and elsewhere
     * @param patience longest wait of a vote; after it the vote is refused
     * @param connections connections on which other members append
     * @param nanoTicker time in nanoseconds from any origin
     * @param alarm rings at the end of a lease
     */
    public VoteGuard(
            LeaseTimes leases,
            Duration patience,
            AppendConnections connections,
            LongSupplier nanoTicker,
            Alarm alarm) {
        this.leases = leases;
        this.patience = patience;
        this.connections = connections;
        this.nanoTicker = nanoTicker;
        this.startedNanos = nanoTicker.getAsLong();
        this.alarm = alarm;
    }

    /**
     * Returns a guard of a server whose leaders do not read by leases: no vote waits, no answer is
     * delayed.
     */
    public static VoteGuard withoutLeases(AppendConnections connections, LongSupplier nanoTicker) {
        return new VoteGuard(
                LeaseTimes.NONE, Duration.ZERO, connections, nanoTicker, (delay, task) -> () -> {});
    }

    /** Returns the leases of the leaders here and elsewhere. */
    LeaseTimes leases() {
        return leases;
    }

    AppendConnections connections() {
        return connections;
    }

    /**
     * Returns what this member knows of the end of the leader that it follows.
     *
     * @return empty: the leader has a connection, or never had one, or an append is being handled
     */
    Optional<LostLeader> lost(RaftGroupId groupId, RaftPeerId leader) {
        OptionalLong lostForNanos = connections.lostForNanos(leader);
        Group group = groups.get(groupId);
        if (lostForNanos.isEmpty() || group != null && group.appending) {
            return Optional.empty();
        }
        long leaseLeftNanos = group == null ? 0 : group.promise.leftNanos(nanoTicker.getAsLong());
        return Optional.of(LostLeader.ofNanos(lostForNanos.getAsLong(), leaseLeftNanos));
    }

    /** Returns the server as the network sees it. */
    public RaftServer guarded(RaftServer server) {
        return CalledServer.by(
                (proxy, method, arguments) -> {
                    Work work = () -> CalledServer.invoke(server, method, arguments);
                    Object first = CalledServer.request(arguments);
                    if (first instanceof AppendEntriesRequestProto request) {
                        return in(request.getServerRequest(), group -> group.append(request, work));
                    }
                    if (first instanceof RequestVoteRequestProto request) {
                        RaftRpcRequestProto from = request.getServerRequest();
                        return in(
                                from,
                                group ->
                                        request.getPreVote()
                                                ? group.preVote(from, server, work)
                                                : group.vote(from, work));
                    }
                    if (first instanceof StartLeaderElectionRequestProto request) {
                        return in(request.getServerRequest(), group -> group.stand(work));
                    }
                    return work.run();
                });
    }

    /**
     * Records that this member leads the group from now on. No earlier leader has a lease any more,
     * because the members that voted have waited for its end. A leadership transfer right after
     * this call therefore waits for nothing.
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
        RaftGroupId groupId = groupId(request);
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

    /** Returns the number of groups with state. */
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
        private volatile LeasePromise promise =
                new LeasePromise(ByteString.EMPTY, startedNanos, leases.unstated().toNanos());

        private volatile OptionalLong ledNanos = OptionalLong.empty();

        /** Whether an append is being handled whose promise is not recorded yet. */
        private volatile boolean appending;

        /** Guarded by the map's lock of the group. */
        private int callers;

        /**
         * Returns whether no call is in the group and no vote would wait for a lease. The caller
         * holds the map's lock of the group. Every call that was in the group has held that lock
         * since.
         */
        boolean isSilent() {
            return callers == 0 && promise.leftNanos(nanoTicker.getAsLong()) <= 0;
        }

        @SuppressWarnings("NonAtomicOperationOnVolatileField") // written under this lock alone
        synchronized Object append(AppendEntriesRequestProto request, Work work) throws Throwable {
            Duration lease = leases.of(request);
            appending = true;
            try {
                Object answer = work.run();
                if (isRefused(answer)) {
                    return later(answer, lease);
                }
                // The time of arrival would be too early, because this member may have led until
                // just before the append.
                promise =
                        new LeasePromise(
                                request.getServerRequest().getRequestorId(),
                                nanoTicker.getAsLong(),
                                lease.toNanos());
                return answer;
            } finally {
                appending = false;
            }
        }

        /** Returns whether the append is refused; Ratis completes refusals at once. */
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

        private Object later(Object answer, Duration lease) {
            if (!(answer instanceof CompletableFuture<?> refused) || lease.isZero()) {
                return answer;
            }
            CompletableFuture<Object> afterLease = new CompletableFuture<>();
            alarm.in(lease, () -> afterLease.complete(refused.getNow(null)));
            return afterLease;
        }

        /**
         * Takes no lock: here Ratis holds a lock for which votes wait while they hold this group's
         * lock.
         */
        void lead() {
            ledNanos = OptionalLong.of(nanoTicker.getAsLong());
        }

        /**
         * An order to become a candidate makes the member vote for itself, so it waits for appends
         * like a vote.
         */
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

        /** Waits for the lease in the thread of the call; appends pass meanwhile. */
        private void awaitLease(RaftRpcRequestProto request)
                throws IOException, InterruptedException {
            long begunNanos = nanoTicker.getAsLong();
            for (long left = leftNanos(request); left > 0; left = leftNanos(request)) {
                if (nanoTicker.getAsLong() - begunNanos > patience.toNanos()) {
                    throw new IOException(
                            "no vote for "
                                    + request.getRequestorId().toStringUtf8()
                                    + ": "
                                    + promise.leader().toStringUtf8()
                                    + " is heard and leads");
                }
                wait(left / 1_000_000, (int) (left % 1_000_000));
            }
        }

        /**
         * Handles a pre-vote. A member whose leader has lost its connection waits for the lease and
         * then forgets the leader. A refusal would make the candidate wait longer.
         */
        Object preVote(RaftRpcRequestProto request, RaftServer server, Work work) throws Throwable {
            Optional<RaftPeerId> leader = LostLeader.followed(server, groupId(request));
            if (leader.isPresent()
                    && !leader.get().toByteString().equals(request.getRequestorId())
                    && awaitLeaseOfLost(leader.get())) {
                LostLeader.giveUp(server, groupId(request), leader.get());
            }
            return work.run();
        }

        /**
         * Waits for the lease. Returns whether the lease is over and the leader has no connection.
         */
        private synchronized boolean awaitLeaseOfLost(RaftPeerId leader)
                throws InterruptedIOException {
            long begunNanos = nanoTicker.getAsLong();
            while (connections.lostForNanos(leader).isPresent()) {
                long nowNanos = nanoTicker.getAsLong();
                long left = promise.leftNanos(nowNanos);
                if (left <= 0 || nowNanos - begunNanos > patience.toNanos()) {
                    return left <= 0;
                }
                try {
                    wait(left / 1_000_000, (int) (left % 1_000_000));
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    throw new InterruptedIOException("pre-vote not given");
                }
            }
            return false;
        }

        private long leftNanos(RaftRpcRequestProto request) {
            OptionalLong led = ledNanos;
            LeasePromise given = promise;
            boolean ledSince = led.isPresent() && led.getAsLong() - given.heardNanos() >= 0;
            return ledSince || request.getRequestorId().equals(given.leader())
                    ? 0
                    : given.leftNanos(nanoTicker.getAsLong());
        }
    }

    private static RaftGroupId groupId(RaftRpcRequestProto request) {
        return ProtoUtils.toRaftGroupId(request.getRaftGroupId());
    }
}

package io.parterre.raftlink;

import io.parterre.concurrent.DaemonThreads;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.ratis.grpc.server.GrpcServicesImpl;
import org.apache.ratis.grpc.server.PeerConnections;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.impl.FollowerPatience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the followers of this node on a thread of its own. Each follower becomes a candidate when
 * its timeout is over, or when the lease of a leader whose connection was closed is over. Before a
 * candidacy, and while a group has no leader, failed connections to the other members are retried
 * at once. See {@link FollowerPatience}. Safe for any thread.
 */
public final class Elections implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Elections.class);

    /**
     * Longest pause between two checks, and so the longest time until a new follower is noticed.
     */
    private static final long PAUSE_MILLIS_MAX = 100;

    private static final long PAUSE_MILLIS_MIN = 5;

    /** A check that comes this much late shows that this process was held up, not the leaders. */
    private static final long LATE_MILLIS = 100;

    /** Time between two attempts to reach members while a group has no leader. */
    private static final long RECONNECT_MILLIS = 500;

    private final RaftServer server;
    private final VoteGuard votes;
    private final LongSupplier nanoTicker;
    private final ScheduledExecutorService thread;

    // Confined to the thread, as the next two fields.
    private final Map<RaftGroupId, FollowerPatience> followers = new HashMap<>();
    private long reconnectedNanos;
    private long dueNanos;

    /** Time until which this node leaves the election of a group to others. */
    private final Map<RaftGroupId, Long> yieldedUntilNanos = new ConcurrentHashMap<>();

    private Elections(
            RaftServer server, VoteGuard votes, String threadName, LongSupplier nanoTicker) {
        this.server = server;
        this.votes = votes;
        this.thread = Executors.newSingleThreadScheduledExecutor(DaemonThreads.named(threadName));
        this.nanoTicker = nanoTicker;
        this.reconnectedNanos = nanoTicker.getAsLong();
        this.dueNanos = reconnectedNanos;
    }

    /**
     * Watches the followers of this server until closed.
     *
     * @param votes guards the votes of that server
     * @param nanoTicker time in nanoseconds from any origin
     */
    public static Elections watch(
            RaftServer server, VoteGuard votes, String threadName, LongSupplier nanoTicker) {
        Elections elections = new Elections(server, votes, threadName, nanoTicker);
        elections.thread.execute(elections::lookAtAll);
        return elections;
    }

    /**
     * Keeps this node from being a candidate in the group for a while. A leader whose disk hangs
     * steps down. Its log is the longest, so members that lack its last entries would elect it
     * again and again. The time is limited, because the other members may be no majority.
     */
    public void yield(RaftGroupId groupId, Duration time) {
        yieldedUntilNanos.put(groupId, nanoTicker.getAsLong() + time.toNanos());
    }

    /** Ends {@link #yield} in all groups. */
    public void yieldNoMore() {
        yieldedUntilNanos.clear();
    }

    private boolean yields(RaftGroupId groupId) {
        Long untilNanos = yieldedUntilNanos.get(groupId);
        if (untilNanos == null) {
            return false;
        }
        if (nanoTicker.getAsLong() - untilNanos < 0) {
            return true;
        }
        yieldedUntilNanos.remove(groupId, untilNanos);
        return false;
    }

    private void lookAtAll() {
        long pauseMillis = PAUSE_MILLIS_MAX;
        try {
            boolean late =
                    nanoTicker.getAsLong() - dueNanos >= TimeUnit.MILLISECONDS.toNanos(LATE_MILLIS);
            boolean reconnect =
                    nanoTicker.getAsLong() - reconnectedNanos
                            >= TimeUnit.MILLISECONDS.toNanos(RECONNECT_MILLIS);
            List<RaftGroupId> there = new ArrayList<>();
            for (RaftGroupId groupId : server.getGroupIds()) {
                there.add(groupId);
                pauseMillis = Math.min(pauseMillis, look(groupId, late, reconnect));
            }
            followers.keySet().retainAll(there);
            yieldedUntilNanos.keySet().retainAll(there);
            if (reconnect) {
                reconnectedNanos = nanoTicker.getAsLong();
            }
        } catch (RuntimeException failure) {
            LOG.error("elections not looked after", failure);
        }
        pauseMillis = Math.max(PAUSE_MILLIS_MIN, pauseMillis);
        dueNanos = nanoTicker.getAsLong() + TimeUnit.MILLISECONDS.toNanos(pauseMillis);
        try {
            thread.schedule(this::lookAtAll, pauseMillis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closing) {
            LOG.debug("elections are left alone at close", closing);
        }
    }

    private long look(RaftGroupId groupId, boolean late, boolean reconnect) {
        try {
            RaftServer.Division division = server.getDivision(groupId);
            FollowerPatience known = followers.get(groupId);
            if (known == null || !known.isOf(division)) {
                Optional<FollowerPatience> made = FollowerPatience.of(division);
                if (made.isEmpty()) {
                    return PAUSE_MILLIS_MAX;
                }
                known = made.get();
                followers.put(groupId, known);
            }
            if (reconnect && known.lacksLeader()) {
                reconnect(division);
            }
            return known.look(
                            late,
                            yields(groupId),
                            leader -> votes.lost(groupId, leader),
                            () -> reconnect(division))
                    .orElse(PAUSE_MILLIS_MAX);
        } catch (IOException gone) {
            LOG.debug("group left the server groupId={}", groupId, gone);
            return PAUSE_MILLIS_MAX;
        }
    }

    private void reconnect(RaftServer.Division division) {
        GrpcServicesImpl rpc = CandidateCalls.unguarded(server.getServerRpc());
        for (RaftPeer peer : division.getRaftConf().getAllPeers()) {
            if (!peer.getId().equals(server.getId())) {
                PeerConnections.retryNow(rpc, peer.getId());
            }
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}

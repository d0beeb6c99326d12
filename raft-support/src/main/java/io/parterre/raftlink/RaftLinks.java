package io.parterre.raftlink;

import io.parterre.concurrent.DaemonThreads;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.ratis.grpc.server.GrpcServicesImpl;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews connections of a Raft server that have fallen silent. After a cut of the network, TCP
 * retries at ever longer intervals, up to two minutes, and Ratis 3.3.0 waits for TCP. A member
 * would stay away, and a group would lack a leader, for about as long again as the cut lasted.
 * gRPC's backoff to a node that was down for long is similar, and a candidate needs that node's
 * vote.
 *
 * <p>Safe for any thread; a thread of its own checks the connections.
 */
public final class RaftLinks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RaftLinks.class);
    private static final int LOOKS_PER_TIMEOUT = 2;

    /** Longer than any age that matters. */
    private static final Duration NEVER_RENEWED = Duration.ofDays(1);

    private final RaftServer server;
    private final LinkRenewal renewal;
    private final LongSupplier nanoTicker;
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("raft-links"));

    // Both confined to the timer's thread.
    private final Map<RaftGroupId, Long> leaderlessNanos = new HashMap<>();
    private final Map<RaftPeerId, Long> renewedNanos = new HashMap<>();

    private RaftLinks(RaftServer server, LinkRenewal renewal, LongSupplier nanoTicker) {
        this.server = server;
        this.renewal = renewal;
        this.nanoTicker = nanoTicker;
    }

    /**
     * Watches the connections of a server that speaks gRPC, until closed.
     *
     * @param electionTimeoutMax longest election timeout of the server's followers
     */
    public static RaftLinks watch(
            RaftServer server, Duration electionTimeoutMax, LongSupplier nanoTicker) {
        RaftLinks links = new RaftLinks(server, LinkRenewal.of(electionTimeoutMax), nanoTicker);
        long intervalMillis = electionTimeoutMax.dividedBy(LOOKS_PER_TIMEOUT).toMillis();
        links.timer.scheduleWithFixedDelay(
                links::look, intervalMillis, intervalMillis, TimeUnit.MILLISECONDS);
        return links;
    }

    private void look() {
        try {
            lookNow();
        } catch (IOException | RuntimeException ending) {
            // A group was being added or removed; the next check sees the result.
            LOG.debug("connections not looked at", ending);
        }
    }

    private void lookNow() throws IOException {
        long nowNanos = nanoTicker.getAsLong();
        List<LinkRenewal.Led> led = new ArrayList<>();
        List<LinkRenewal.Leaderless> leaderless = new ArrayList<>();
        Map<RaftGroupId, Long> before = new HashMap<>(leaderlessNanos);
        leaderlessNanos.clear();
        for (RaftGroupId groupId : server.getGroupIds()) {
            RaftServer.Division division = server.getDivision(groupId);
            DivisionInfo info = division.getInfo();
            if (info.isLeader()) {
                led.add(new LinkRenewal.Led(silences(info)));
            } else if (info.getLeaderId() == null) {
                long sinceNanos = before.getOrDefault(groupId, nowNanos);
                leaderlessNanos.put(groupId, sinceNanos);
                leaderless.add(
                        new LinkRenewal.Leaderless(
                                others(division), Duration.ofNanos(nowNanos - sinceNanos)));
            }
        }
        renewal.due(led, leaderless, node -> age(node, nowNanos))
                .forEach(node -> renew(node, nowNanos));
    }

    private static Map<RaftPeerId, Duration> silences(DivisionInfo info) {
        return info.getRoleInfoProto().getLeaderInfo().getFollowerInfoList().stream()
                .collect(
                        Collectors.toMap(
                                follower ->
                                        RaftPeerId.valueOf(follower.getId().getId().toStringUtf8()),
                                RaftLinks::silence,
                                (one, other) -> one.compareTo(other) < 0 ? one : other));
    }

    private static Duration silence(ServerRpcProto follower) {
        return Duration.ofMillis(follower.getLastRpcElapsedTimeMs());
    }

    private Set<RaftPeerId> others(RaftServer.Division division) {
        return division.getRaftConf().getAllPeers().stream()
                .filter(peer -> !peer.getId().equals(server.getId()))
                .map(RaftPeer::getId)
                .collect(Collectors.toUnmodifiableSet());
    }

    private Duration age(RaftPeerId node, long nowNanos) {
        Long renewed = renewedNanos.get(node);
        return renewed == null ? NEVER_RENEWED : Duration.ofNanos(nowNanos - renewed);
    }

    private void renew(RaftPeerId node, long nowNanos) {
        renewedNanos.put(node, nowNanos);
        LOG.debug("connection renewed to={}", node);
        GrpcServicesImpl rpc = CandidateCalls.unguarded(server.getServerRpc());
        // On a thread of its own, because Ratis waits some seconds for the old connection to end.
        DaemonThreads.unstarted("raft-link-renewal", () -> rpc.getProxies().resetProxy(node))
                .start();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}

package org.apache.ratis.server.impl;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.Timestamp;

/**
 * Has a follower stand for election as soon as its leader has been silent for an election timeout.
 * Not thread-safe.
 *
 * <p>Ratis looks only at the end of a timeout that began at any moment, and begins another one if
 * news came within it, or if it woke up late: a failover waits for one and a half timeouts, and for
 * several on a busy machine. A follower that has stood and lost would begin again as well, though
 * it knows that nobody leads; and a leader that lost touch with the others would not stand for ten
 * seconds, which serves systems without a pre-vote. Ratis's own look goes on beside this one.
 *
 * <p>A follower that has given its vote away hears of a new leader only after that one has
 * collected the votes and written its term down, which takes long on a busy disk. Were it to stand
 * meanwhile, it would depose the one it has just voted for; most of all one that gave its own lead
 * away. It waits longer than any other, and keeps Ratis's look from being quicker.
 *
 * <p>Nothing that makes elections safe is touched: a follower that has a leader stands no earlier
 * than Ratis allows, the shortest election timeout after its news; and by the pre-vote no other
 * follower that has news of a leader lets it.
 */
public final class FollowerPatience {
    private static final long SPARED_MILLIS = 100;

    private final RaftServerImpl server;

    /** A vote of this term or an earlier one is what a start has found on disk. */
    private final long startedInTerm;

    /** What Ratis takes for the last news. */
    private Optional<Timestamp> heard = Optional.empty();

    /** The last news. */
    private Timestamp since = Timestamp.currentTime();

    private long patienceMillis;

    /** Whether it was late once since the news. */
    private boolean spared;

    /** The term in which it last stood for election without having had a leader since. */
    private Optional<Long> stoodIn = Optional.empty();

    private FollowerPatience(RaftServerImpl server) {
        this.server = server;
        this.startedInTerm = server.getState().getCurrentTerm();
    }

    /** Of a division that Ratis made; empty if it is none of those. */
    public static Optional<FollowerPatience> of(RaftServer.Division division) {
        return division instanceof RaftServerImpl server
                ? Optional.of(new FollowerPatience(server))
                : Optional.empty();
    }

    /** Whether it is of this division. */
    public boolean isOf(RaftServer.Division division) {
        return server == division;
    }

    /** Whether it takes part and knows of nobody who leads. */
    public boolean lacksLeader() {
        return server.isRunning() && server.getState().getLeaderId() == null;
    }

    /**
     * Stands for election if it is time to.
     *
     * @param late whether this comes later than it should: then the whole process was kept from
     *     working, and news may have come that is about to be heard
     * @param yields whether it leaves the election to others while nobody leads: it gave its own
     *     leadership up for want of a disk, and its log is the longest, so it would win again
     * @param before done first, when it is time
     * @return milliseconds until it may be time, if no news comes; empty: it does not follow
     */
    public Optional<Long> look(boolean late, boolean yields, Runnable before) {
        if (server.getState().getLeaderId() != null) {
            stoodIn = Optional.empty();
        } else if (server.getInfo().isCandidate()) {
            stoodIn = Optional.of(server.getState().getCurrentTerm());
        }
        Optional<FollowerState> follower = server.getRole().getFollowerState();
        if (follower.isEmpty()) {
            heard = Optional.empty();
            return Optional.empty();
        }
        Timestamp news = follower.get().getLastRpcTime();
        if (heard.isEmpty() || heard.get() != news) {
            heard = Optional.of(news);
            since = news;
            patienceMillis = patienceMillis();
            spared = false;
        }
        if (yields && server.getState().getLeaderId() == null) {
            return Optional.of(hold(follower.get(), news, () -> true));
        }
        long leftMillis = patienceMillis - since.elapsedTimeMs();
        if (leftMillis > 0) {
            return Optional.of(
                    hasVotedForAnother()
                            ? Math.min(
                                    leftMillis,
                                    hold(follower.get(), news, this::hasVotedForAnother))
                            : leftMillis);
        }
        if (late && !spared) {
            spared = true;
            patienceMillis = since.elapsedTimeMs() + SPARED_MILLIS;
            return Optional.of(SPARED_MILLIS);
        }
        before.run();
        stand(follower.get(), news);
        return Optional.of(patienceMillis);
    }

    /**
     * Keeps Ratis from having it stand before its time, by what Ratis takes for the last news. Of a
     * follower without a leader nothing else asks for that.
     *
     * @param stillWanted asked again under Ratis's lock
     * @return milliseconds until it is to be done again
     */
    private long hold(FollowerState follower, Timestamp news, BooleanSupplier stillWanted) {
        long holdMillis = server.properties().minRpcTimeoutMs() / 4;
        long elapsedMillis = news.elapsedTimeMs();
        if (elapsedMillis < holdMillis) {
            return holdMillis - elapsedMillis;
        }
        synchronized (server) {
            // News that has come meanwhile is news.
            if (follower.getLastRpcTime() == news
                    && server.getState().getLeaderId() == null
                    && stillWanted.getAsBoolean()) {
                follower.updateLastRpcTime(FollowerState.UpdateType.REQUEST_VOTE);
                heard = Optional.of(follower.getLastRpcTime());
            }
        }
        return holdMillis;
    }

    private long patienceMillis() {
        long min = server.properties().minRpcTimeoutMs();
        if (hasLost()) {
            // Nobody leads as far as it knows, and it heard no for an answer: whoever said so may
            // have had news later, or stood at the same moment. Apart enough for one to go ahead.
            return ThreadLocalRandom.current().nextLong(min / 8, min / 2);
        }
        if (hasVotedForAnother()) {
            return afterVoteMillis(
                    min, server.getMaxTimeoutMs(), ThreadLocalRandom.current().nextDouble());
        }
        return rank().map(
                        rank ->
                                rank.pick(
                                        min,
                                        server.getMaxTimeoutMs(),
                                        ThreadLocalRandom.current().nextDouble()))
                .orElseGet(() -> server.getRandomElectionTimeout().toLong(TimeUnit.MILLISECONDS));
    }

    /**
     * A follower's place among those of its leader. Each has a part of the time between shortest
     * and longest timeout to itself, so that two hardly ever stand at the same moment, which would
     * cost both the vote of the other.
     *
     * @param place 0 to {@code followers - 1}
     */
    record Rank(int place, int followers) {
        /**
         * A timeout of this place's part.
         *
         * @param random 0 to 1
         */
        long pick(long minMillis, long maxMillis, double random) {
            return minMillis + (long) ((maxMillis - minMillis) * (place + random) / followers);
        }
    }

    /**
     * How long one waits for the first news of whom it voted for: longer than any follower with a
     * leader by the shortest timeout, which a slow disk may take to write the term down.
     *
     * @param random 0 to 1
     */
    static long afterVoteMillis(long minMillis, long maxMillis, double random) {
        return maxMillis + minMillis + (long) (minMillis / 2.0 * random);
    }

    /** And has heard of no leader since. */
    private boolean hasVotedForAnother() {
        ServerState state = server.getState();
        RaftPeerId votedFor = state.getVotedFor();
        return state.getLeaderId() == null
                && votedFor != null
                && !votedFor.equals(server.getId())
                && state.getCurrentTerm() > startedInTerm;
    }

    /** Empty: it has no leader, or no place yet. */
    private Optional<Rank> rank() {
        RaftPeerId leader = server.getState().getLeaderId();
        if (leader == null) {
            return Optional.empty();
        }
        List<RaftPeerId> followers =
                server.getRaftConf().getCurrentPeers().stream()
                        .map(RaftPeer::getId)
                        .filter(id -> !id.equals(leader))
                        .sorted(Comparator.comparing(RaftPeerId::toString))
                        .toList();
        int index = followers.indexOf(server.getId());
        if (index < 0) {
            return Optional.empty();
        }
        // Or the first by name would follow every leader in every group.
        int turn = Math.floorMod(server.getMemberId().getGroupId().hashCode(), followers.size());
        return Optional.of(new Rank((index + turn) % followers.size(), followers.size()));
    }

    /** Not if it has voted for another one since, who may have won. */
    private boolean hasLost() {
        ServerState state = server.getState();
        return stoodIn.isPresent()
                && state.getLeaderId() == null
                && (stoodIn.get() == state.getCurrentTerm()
                        || server.getId().equals(state.getVotedFor()));
    }

    private void stand(FollowerState follower, Timestamp news) {
        synchronized (server) {
            boolean stillTime =
                    server.getRole().getFollowerState().filter(now -> now == follower).isPresent()
                            && follower.getLastRpcTime() == news
                            && follower.getOutstandingOp() == 0
                            && server.getInfo().isFollower()
                            && server.isRunning();
            if (stillTime) {
                FollowerState.LOG.info(
                        "{}: change to CANDIDATE, lastRpcElapsedTime:{}ms, patience:{}ms",
                        follower,
                        since.elapsedTimeMs(),
                        patienceMillis);
                stoodIn = Optional.of(server.getState().getCurrentTerm());
                server.getLeaderElectionMetrics().onLeaderElectionTimeout();
                server.changeToCandidate(false);
            }
        }
    }
}

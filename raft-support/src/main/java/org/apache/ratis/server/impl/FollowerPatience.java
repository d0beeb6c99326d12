package org.apache.ratis.server.impl;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.Timestamp;

/**
 * Makes a follower a candidate as soon as its leader has been silent for an election timeout. Not
 * thread-safe.
 *
 * <p>Ratis 3.3.0 checks for silence only at the end of a timeout that began at an arbitrary moment.
 * Ratis begins another timeout if an append came within the first, or if its thread woke up late. A
 * failover therefore takes one and a half timeouts, and several on a busy machine. A follower that
 * was a candidate and lost also begins another timeout, though it knows that no member leads. A
 * leader that lost its majority is no candidate for ten seconds, which serves systems without a
 * pre-vote. Ratis's own timeout goes on beside this class.
 *
 * <p>A follower that has voted for another member gets the new leader's first append only after
 * that leader has collected the votes and written its term, which takes long on a busy disk. A
 * follower that became a candidate meanwhile would depose the member for which it has just voted. A
 * member that has just transferred its leadership is most likely to do so. Such a follower waits
 * longer than any other, and this class holds back Ratis's own timeout for it.
 *
 * <p>Elections stay safe. A follower with a leader becomes a candidate no earlier than Ratis
 * allows, which is the shortest election timeout after the last append. The exception is a leader
 * whose connection was closed ({@link LostLeader}): the follower becomes a candidate when that
 * leader's lease is over. The pre-vote fails while other followers have recent appends of a leader.
 */
public final class FollowerPatience {
    private static final long SPARED_MILLIS = 100;

    /**
     * Pause before the next check of a follower whose timeout is over but that handles an append at
     * this moment.
     */
    private static final long BUSY_MILLIS = 20;

    private final RaftServerImpl server;

    /**
     * Term at the start of this process. A vote of this term or an earlier one was on disk at the
     * start.
     */
    private final long startedInTerm;

    /** Ratis's time of the last append or vote, also where {@link #hold} has moved that time. */
    private Optional<Timestamp> heard = Optional.empty();

    /** Time of the last real append or vote. */
    private Timestamp since = Timestamp.currentTime();

    private long patienceMillis;

    /** Whether one late check has been excused since the last append or vote. */
    private boolean spared;

    /** Term of the last candidacy, if no leader has been known since. */
    private Optional<Long> stoodIn = Optional.empty();

    /** The last known leader. */
    private Optional<Led> led = Optional.empty();

    /** A leader and its term. */
    private record Led(RaftPeerId leader, long term) {}

    private FollowerPatience(RaftServerImpl server) {
        this.server = server;
        this.startedInTerm = server.getState().getCurrentTerm();
    }

    /** Returns an instance for a division of Ratis's own class; empty for any other class. */
    public static Optional<FollowerPatience> of(RaftServer.Division division) {
        return division instanceof RaftServerImpl server
                ? Optional.of(new FollowerPatience(server))
                : Optional.empty();
    }

    /** Returns whether this instance belongs to the division. */
    public boolean isOf(RaftServer.Division division) {
        return server == division;
    }

    /** Returns whether the division runs and knows no leader. */
    public boolean lacksLeader() {
        return server.isRunning() && server.getState().getLeaderId() == null;
    }

    /**
     * Makes the follower a candidate if its timeout is over.
     *
     * @param late whether this call comes late; the whole process was then held up, and an append
     *     may have arrived that is not handled yet
     * @param yields whether the follower leaves the election to others while there is no leader;
     *     the follower stepped down because of its disk, and would win again because its log is the
     *     longest
     * @param losses returns what is known of the end of a leader; empty: the leader has a
     *     connection
     * @param before runs before the follower becomes a candidate
     * @return milliseconds until the timeout may be over if no append comes; empty: the division is
     *     no follower
     */
    public Optional<Long> look(
            boolean late,
            boolean yields,
            Function<RaftPeerId, Optional<LostLeader>> losses,
            Runnable before) {
        RaftPeerId leader = server.getState().getLeaderId();
        if (leader != null) {
            stoodIn = Optional.empty();
            led = Optional.of(new Led(leader, server.getState().getCurrentTerm()));
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
        long timeoutMillis = patienceMillis - since.elapsedTimeMs();
        Optional<Long> lossMillis =
                yields ? Optional.empty() : sinceLoss(news.elapsedTimeMs(), losses);
        long leftMillis =
                lossMillis.map(loss -> Math.min(loss, timeoutMillis)).orElse(timeoutMillis);
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
        stand(
                follower.get(),
                news,
                () ->
                        timeoutMillis <= 0
                                || sinceLoss(news.elapsedTimeMs(), losses)
                                        .filter(left -> left <= 0)
                                        .isPresent());
        return Optional.of(timeoutMillis <= 0 ? patienceMillis : BUSY_MILLIS);
    }

    /**
     * Returns the milliseconds until this follower becomes a candidate because its leader's
     * connection was closed. Empty: the leader has a connection, or is not known to have led in
     * this term.
     */
    private Optional<Long> sinceLoss(
            long newsMillis, Function<RaftPeerId, Optional<LostLeader>> losses) {
        return led.filter(known -> known.term() == server.getState().getCurrentTerm())
                .map(Led::leader)
                .filter(leader -> !leader.equals(server.getId()))
                .flatMap(
                        leader ->
                                losses.apply(leader)
                                        .map(
                                                loss ->
                                                        loss.standInMillis(
                                                                place(leader), newsMillis)));
    }

    private int place(RaftPeerId leader) {
        return rank(leader).map(Rank::place).orElse(0);
    }

    /**
     * Holds Ratis's own timeout back by moving Ratis's time of the last append. In a follower
     * without a leader nothing else uses that time.
     *
     * @param stillWanted checked again under Ratis's lock
     * @return milliseconds until this call has to be repeated
     */
    private long hold(FollowerState follower, Timestamp news, BooleanSupplier stillWanted) {
        long holdMillis = server.properties().minRpcTimeoutMs() / 4;
        long elapsedMillis = news.elapsedTimeMs();
        if (elapsedMillis < holdMillis) {
            return holdMillis - elapsedMillis;
        }
        synchronized (server) {
            // A real append or vote may have come meanwhile.
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
            // No leader is known, and a member refused the vote. That member may have a longer log,
            // or was a candidate at the same moment. The times are far enough apart for one member
            // to win.
            return ThreadLocalRandom.current().nextLong(min / 8, min / 2);
        }
        if (hasVotedForAnother()) {
            return afterVoteMillis(
                    min, server.getMaxTimeoutMs(), ThreadLocalRandom.current().nextDouble());
        }
        return Optional.ofNullable(server.getState().getLeaderId())
                .flatMap(this::rank)
                .map(
                        rank ->
                                rank.pick(
                                        min,
                                        server.getMaxTimeoutMs(),
                                        ThreadLocalRandom.current().nextDouble()))
                .orElseGet(() -> server.getRandomElectionTimeout().toLong(TimeUnit.MILLISECONDS));
    }

    /**
     * A follower's place among the followers of its leader. Each place has its own part of the time
     * between the shortest and the longest timeout. Two followers are therefore hardly ever
     * candidates at the same moment, when each would lack the other's vote.
     *
     * @param place 0 to {@code followers - 1}
     * @param followers number of followers
     */
    record Rank(int place, int followers) {
        /**
         * Returns a timeout in milliseconds within this place's part.
         *
         * @param random 0 to 1
         */
        long pick(long minMillis, long maxMillis, double random) {
            return minMillis + (long) ((maxMillis - minMillis) * (place + random) / followers);
        }
    }

    /**
     * Returns the timeout of a follower that has voted for another member and has no append from
     * that member. The timeout exceeds that of any follower with a leader by at least the shortest
     * timeout, which a slow disk may need to write the term.
     *
     * @param random 0 to 1
     */
    static long afterVoteMillis(long minMillis, long maxMillis, double random) {
        return maxMillis + minMillis + (long) (minMillis / 2.0 * random);
    }

    /**
     * Returns whether this follower has voted for another member since the start and has had no
     * leader since.
     */
    private boolean hasVotedForAnother() {
        ServerState state = server.getState();
        RaftPeerId votedFor = state.getVotedFor();
        return state.getLeaderId() == null
                && votedFor != null
                && !votedFor.equals(server.getId())
                && state.getCurrentTerm() > startedInTerm
                && led.filter(known -> known.term() == state.getCurrentTerm()).isEmpty();
    }

    /** Returns this follower's place; empty: the configuration does not hold this follower yet. */
    private Optional<Rank> rank(RaftPeerId leader) {
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
        // Otherwise the first member by name would be the first candidate in every group.
        int turn = Math.floorMod(server.getMemberId().getGroupId().hashCode(), followers.size());
        return Optional.of(new Rank((index + turn) % followers.size(), followers.size()));
    }

    /**
     * Returns whether this follower was a candidate, lost, and has not voted since for another
     * member, which may have won.
     */
    private boolean hasLost() {
        ServerState state = server.getState();
        return stoodIn.isPresent()
                && state.getLeaderId() == null
                && (stoodIn.get() == state.getCurrentTerm()
                        || server.getId().equals(state.getVotedFor()));
    }

    /**
     * Makes the follower a candidate if nothing has arrived since the check.
     *
     * @param stillTime checked under Ratis's lock, which appends take as well
     */
    private void stand(FollowerState follower, Timestamp news, BooleanSupplier stillTime) {
        synchronized (server) {
            boolean stands =
                    server.getRole().getFollowerState().filter(now -> now == follower).isPresent()
                            && follower.getLastRpcTime() == news
                            && follower.getOutstandingOp() == 0
                            && server.getInfo().isFollower()
                            && server.isRunning()
                            && stillTime.getAsBoolean();
            if (stands) {
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

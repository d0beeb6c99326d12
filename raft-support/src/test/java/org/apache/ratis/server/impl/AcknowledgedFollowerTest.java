package org.apache.ratis.server.impl;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.util.Timestamp;
import org.junit.jupiter.api.Test;

/** Which calls of a leader count for its lease. */
final class AcknowledgedFollowerTest {
    private static final RaftPeer PEER =
            RaftPeer.newBuilder().setId("s2").setAddress("127.0.0.1:1").build();

    private final Timestamp before = Timestamp.currentTime();
    private final FollowerInfoImpl noted =
            new FollowerInfoImpl(null, PEER, id -> PEER, before, 5, true);
    private final AtomicInteger taken = new AtomicInteger();
    private final FollowerInfo follower = AcknowledgedFollower.of(noted, taken::incrementAndGet);

    private Timestamp later(int millis) {
        return before.addTimeMs(millis);
    }

    @Test
    void callCountsForLease_whenFollowerTookIt() {
        Timestamp sent = later(1);
        follower.updateLastRespondedAppendEntriesSendTime(sent);
        follower.updateMatchIndex(4);
        assertThat(noted.getLastRespondedAppendEntriesSendTime()).isSameAs(sent);
        assertThat(follower.getLastRespondedAppendEntriesSendTime()).isSameAs(sent);
        assertThat(noted.getMatchIndex()).isEqualTo(4);
        assertThat(taken).hasValue(1);
    }

    /** Entries are answered after a sync, heartbeats at once. */
    @Test
    void laterCallCounts_whenAnswerToEarlierOneComesLast() {
        Timestamp heartbeat = later(2);
        follower.updateLastRespondedAppendEntriesSendTime(heartbeat);
        follower.updateMatchIndex(4);
        follower.updateLastRespondedAppendEntriesSendTime(later(1));
        follower.updateMatchIndex(5);
        assertThat(noted.getLastRespondedAppendEntriesSendTime()).isSameAs(heartbeat);
        assertThat(taken).hasValue(2);
    }

    /** Ratis does nothing more with such an answer than to step down, some time later. */
    @Test
    void callDoesNotCountForLease_whenFollowerRefusedIt() {
        follower.updateLastRespondedAppendEntriesSendTime(later(1));
        assertThat(noted.getLastRespondedAppendEntriesSendTime()).isSameAs(before);
        assertThat(taken).hasValue(0);
    }

    @Test
    void successCountsOnlyItsOwnCall_afterARefusal() {
        follower.updateLastRespondedAppendEntriesSendTime(later(1_000));
        Timestamp sent = later(1);
        follower.updateLastRespondedAppendEntriesSendTime(sent);
        follower.updateMatchIndex(4);
        follower.updateMatchIndex(5);
        assertThat(noted.getLastRespondedAppendEntriesSendTime()).isSameAs(sent);
    }

    @Test
    void brokenCallIsTold_whenItHasNoAnswer() {
        AtomicInteger broken = new AtomicInteger();
        ((AcknowledgedFollower) follower).onBroken(broken::incrementAndGet);
        follower.updateLastRpcResponseTime();
        follower.getErrorState().updateErrorCount(true);
        assertThat(broken).as("the follower lacks an entry").hasValue(0);
        follower.getErrorState().updateErrorCount(true);
        assertThat(broken).hasValue(1);
        follower.getErrorState().updateErrorCount(false);
        assertThat(broken).hasValue(1);
    }

    /** Heartbeats and entries are answered on streams of their own. */
    @Test
    void successOnAnotherThreadDoesNotCountForCall() throws InterruptedException {
        follower.updateLastRespondedAppendEntriesSendTime(later(1_000));
        Thread other = new Thread(() -> follower.updateMatchIndex(4));
        other.start();
        other.join();
        assertThat(noted.getLastRespondedAppendEntriesSendTime()).isSameAs(before);
    }

    /** A late answer may tell what another leader has committed. */
    @Test
    void commitIndexCountsUpToLeadersOwn_afterALostAcknowledgement() {
        AcknowledgedFollower lossy = (AcknowledgedFollower) follower;
        lossy.countCommitted(() -> 6);
        lossy.unanswered().sent(5, 8);
        lossy.updateCommitIndex(5);
        assertThat(noted.getMatchIndex()).as("an acknowledgement is expected").isNegative();
        lossy.unanswered().broken();
        lossy.updateCommitIndex(8);
        assertThat(noted.getMatchIndex()).isEqualTo(6);
    }

    /** Or the leader would look at notes that nobody keeps. */
    @Test
    void everyUpdateReachesTheLeadersFollowerInfo() {
        for (Method method : FollowerInfoImpl.class.getDeclaredMethods()) {
            boolean visible = !Modifier.isPrivate(method.getModifiers());
            if (visible && !method.isSynthetic() && !Modifier.isStatic(method.getModifiers())) {
                assertThat(AcknowledgedFollower.class.getDeclaredMethods())
                        .as(method.toString())
                        .anyMatch(
                                own ->
                                        own.getName().equals(method.getName())
                                                && own.getParameterCount()
                                                        == method.getParameterCount());
            }
        }
        follower.setNextIndex(9);
        assertThat(noted.getNextIndex()).isEqualTo(9);
        assertThat(((FollowerInfoImpl) follower).isCaughtUp()).isTrue();
    }
}

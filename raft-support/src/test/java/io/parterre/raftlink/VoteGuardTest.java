package io.parterre.raftlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.impl.LostLeader;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.ProtoUtils;
import org.junit.jupiter.api.Test;

class VoteGuardTest {
    private static final RaftGroupId GROUP = RaftGroupId.valueOf(new UUID(0, 1));
    private static final Duration LEASE = Duration.ofSeconds(1);

    /** Goes on with each look. */
    private final AtomicLong nowNanos = new AtomicLong(7);

    private final AtomicInteger votes = new AtomicInteger();
    private volatile AppendResult appendResult = AppendResult.SUCCESS;
    private volatile Runnable whileAppending = () -> {};

    private final List<Runnable> due = new ArrayList<>();

    private final AppendConnections connections = new AppendConnections(nowNanos::getAndIncrement);

    private final VoteGuard guard =
            new VoteGuard(
                    new LeaseTimes(LEASE, LEASE),
                    Duration.ZERO,
                    connections,
                    nowNanos::getAndIncrement,
                    this::alarm);
    private final RaftServer guarded = guard.guarded(server());

    private Runnable alarm(Duration delay, Runnable task) {
        assertThat(delay).isEqualTo(LEASE);
        due.add(task);
        return () -> {};
    }

    private RaftServer server() {
        return (RaftServer)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {RaftServer.class},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("getDivision")) {
                                return null;
                            }
                            if (arguments[0] instanceof RequestVoteRequestProto) {
                                votes.incrementAndGet();
                                return RequestVoteReplyProto.getDefaultInstance();
                            }
                            whileAppending.run();
                            return CompletableFuture.completedFuture(
                                    AppendEntriesReplyProto.newBuilder()
                                            .setResult(appendResult)
                                            .build());
                        });
    }

    private static RaftRpcRequestProto from(String peer) {
        return from(peer, GROUP);
    }

    private static RaftRpcRequestProto from(String peer, RaftGroupId group) {
        return RaftRpcRequestProto.newBuilder()
                .setRequestorId(ByteString.copyFromUtf8(peer))
                .setRaftGroupId(ProtoUtils.toRaftGroupIdProtoBuilder(group))
                .build();
    }

    private void vote(String candidate, boolean preVote) throws IOException {
        guarded.requestVote(
                RequestVoteRequestProto.newBuilder()
                        .setServerRequest(from(candidate))
                        .setPreVote(preVote)
                        .build());
    }

    private CompletableFuture<AppendEntriesReplyProto> append(String leader) throws IOException {
        return guarded.appendEntriesAsync(
                AppendEntriesRequestProto.newBuilder().setServerRequest(from(leader)).build());
    }

    /** From a leader that asks for another lease than this member's own. */
    private void append(String leader, Duration lease) throws IOException {
        guarded.appendEntriesAsync(
                LeaseClaim.stated(
                        AppendEntriesRequestProto.newBuilder()
                                .setServerRequest(from(leader))
                                .build(),
                        LeaseClaim.field(lease)));
    }

    private void pass(Duration time) {
        nowNanos.addAndGet(time.toNanos());
    }

    /** With a patience of none, what would have to wait is refused. */
    private void assertWaits(String candidate) {
        int before = votes.get();
        assertThatThrownBy(() -> vote(candidate, false)).isInstanceOf(IOException.class);
        assertThat(votes.get()).isEqualTo(before);
    }

    @Test
    void silentGroupIsForgotten_andHeardOneIsNot() throws Exception {
        pass(LEASE);
        for (int id = 2; id < 1_000; id++) {
            RaftGroupId other = RaftGroupId.valueOf(new UUID(0, id));
            guarded.appendEntriesAsync(
                    AppendEntriesRequestProto.newBuilder()
                            .setServerRequest(from("a", other))
                            .build());
        }
        append("a");
        assertThat(guard.groups()).isEqualTo(999);
        pass(LEASE.dividedBy(2));
        append("a");
        pass(LEASE.dividedBy(2));
        guard.leads(RaftGroupId.valueOf(new UUID(0, 1_000)));

        guarded.requestVote(
                RequestVoteRequestProto.newBuilder()
                        .setServerRequest(from("x", RaftGroupId.valueOf(new UUID(0, 1_001))))
                        .build());
        assertThat(guard.groups()).isEqualTo(1);
        assertWaits("x");
    }

    @Test
    void groupIsKept_whileSomebodyCallsInIt() throws Exception {
        pass(LEASE);
        whileAppending =
                () -> {
                    pass(LEASE);
                    try {
                        guarded.requestVote(
                                RequestVoteRequestProto.newBuilder()
                                        .setServerRequest(
                                                from("x", RaftGroupId.valueOf(new UUID(0, 2))))
                                        .build());
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                    assertThat(guard.groups()).isEqualTo(1);
                };
        append("a");
        assertThat(guard.groups()).isEqualTo(1);
        assertWaits("x");
    }

    @Test
    void voteIsWithheld_whileHeardLeadersLeaseLasts() throws Exception {
        pass(LEASE);
        append("a");
        assertWaits("x");
        pass(LEASE);
        vote("x", false);
        assertThat(votes.get()).isEqualTo(1);
    }

    @Test
    void voteIsWithheldForLeaseThatLeaderStates_notForOwn() throws Exception {
        pass(LEASE);
        append("a", LEASE.dividedBy(4));
        assertWaits("x");
        pass(LEASE.dividedBy(4));
        vote("x", false);
        assertThat(votes.get()).isEqualTo(1);

        append("b", LEASE.multipliedBy(2));
        pass(LEASE);
        assertWaits("x");
        pass(LEASE);
        vote("x", false);
        assertThat(votes.get()).isEqualTo(2);
    }

    @Test
    void leaseIsReadFromBytesOfAppend() throws Exception {
        AppendEntriesRequestProto sent =
                LeaseClaim.stated(
                        AppendEntriesRequestProto.newBuilder().setLeaderTerm(7).build(),
                        LeaseClaim.field(Duration.ofMillis(300)));
        AppendEntriesRequestProto received =
                AppendEntriesRequestProto.parseFrom(sent.toByteString());
        assertThat(LeaseClaim.of(received)).contains(Duration.ofMillis(300));
        assertThat(received.getLeaderTerm()).isEqualTo(7);
        assertThat(LeaseClaim.of(AppendEntriesRequestProto.getDefaultInstance())).isEmpty();
    }

    @Test
    void leaderIsNotLost_whileItHasAConnection() throws Exception {
        RaftPeerId leader = RaftPeerId.valueOf("a");
        pass(LEASE);
        assertThat(guard.lost(GROUP, leader)).as("never appended").isEmpty();
        connections.opened(leader);
        append("a");
        connections.opened(leader);
        connections.closed(leader);
        assertThat(guard.lost(GROUP, leader)).as("renewed its connection").isEmpty();
        connections.closed(leader);
        assertThat(guard.lost(GROUP, leader)).isPresent();
        connections.opened(leader);
        assertThat(guard.lost(GROUP, leader)).as("is back").isEmpty();
    }

    @Test
    void lostLeadersLeaseRunsOn_fromLastAcceptedAppend() throws Exception {
        RaftPeerId leader = RaftPeerId.valueOf("a");
        pass(LEASE);
        connections.opened(leader);
        append("a");
        pass(LEASE.dividedBy(2));
        connections.closed(leader);
        assertThat(guard.lost(GROUP, leader).orElseThrow().leaseLeftMillis())
                .isBetween(1L, LEASE.dividedBy(2).toMillis());
        pass(LEASE.dividedBy(2));
        assertThat(guard.lost(GROUP, leader).orElseThrow())
                .isEqualTo(new LostLeader(LEASE.dividedBy(2).toMillis(), 0));
    }

    @Test
    void leaderIsNotLost_whileItsAppendIsBeingHandled() throws Exception {
        RaftPeerId leader = RaftPeerId.valueOf("a");
        pass(LEASE);
        connections.opened(leader);
        connections.closed(leader);
        pass(LEASE);
        whileAppending = () -> assertThat(guard.lost(GROUP, leader)).isEmpty();
        append("a");
        assertThat(guard.lost(GROUP, leader).orElseThrow().leaseLeftMillis()).isPositive();
    }

    @Test
    void voteIsWithheld_untilOneLeaseHasPassedSinceStart() throws Exception {
        assertWaits("x");
        pass(LEASE);
        vote("x", false);
        assertThat(votes.get()).isEqualTo(1);
    }

    @Test
    void preVoteAndVoteForSameLeaderPass_whileLeaseLasts() throws Exception {
        pass(LEASE);
        append("a");
        vote("x", true);
        vote("a", false);
        assertThat(votes.get()).isEqualTo(2);
    }

    @Test
    void rejectedAppendIsAnsweredAfterLease_withoutBlockingVotes() throws Exception {
        pass(LEASE);
        appendResult = AppendResult.NOT_LEADER;
        CompletableFuture<AppendEntriesReplyProto> reply = append("a");
        assertThat(reply).as("before the lease is over").isNotDone();
        vote("x", false);
        assertThat(votes.get()).isEqualTo(1);
        due.forEach(Runnable::run);
        assertThat(reply.join().getResult()).isEqualTo(AppendResult.NOT_LEADER);
    }

    @Test
    void voteWaits_whileEntriesAreBeingAppended() throws Exception {
        pass(LEASE);
        CountDownLatch taking = new CountDownLatch(1);
        CountDownLatch taken = new CountDownLatch(1);
        whileAppending =
                () -> {
                    taking.countDown();
                    try {
                        assertThat(taken.await(20, TimeUnit.SECONDS)).isTrue();
                    } catch (InterruptedException interrupted) {
                        Thread.currentThread().interrupt();
                    }
                };
        CompletableFuture<Void> appending =
                CompletableFuture.runAsync(
                        () -> {
                            try {
                                append("a").join();
                            } catch (IOException failure) {
                                throw new IllegalStateException(failure);
                            }
                        });
        assertThat(taking.await(20, TimeUnit.SECONDS)).isTrue();
        Thread voting =
                new Thread(
                        () -> {
                            try {
                                vote("x", false);
                            } catch (IOException refused) {
                                assertThat(refused).isNotNull();
                            }
                        });
        voting.start();
        while (voting.getState() != Thread.State.BLOCKED) {
            Thread.onSpinWait();
        }
        assertThat(votes.get()).isZero();
        taken.countDown();
        appending.get(20, TimeUnit.SECONDS);
        pass(LEASE);
        voting.join(20_000);
        assertThat(voting.isAlive()).isFalse();
    }

    @Test
    void voteIsGranted_whenMemberHasLedSinceHearingALeader() throws Exception {
        pass(LEASE);
        append("n1");
        guard.leads(GROUP);
        vote("n2", false);
        assertThat(votes).hasValue(1);

        append("n2");
        assertThatThrownBy(() -> vote("n1", false)).isInstanceOf(IOException.class);
    }

    @Test
    void voteIsWithheld_whenAppendEndsAfterOwnLeadership() throws Exception {
        pass(LEASE);
        whileAppending = () -> guard.leads(GROUP);
        append("n1");
        assertThatThrownBy(() -> vote("n2", false)).isInstanceOf(IOException.class);
    }
}

package io.parterre.frontend.route;

import static io.parterre.frontend.route.Ranges.A;
import static io.parterre.frontend.route.Ranges.B;
import static io.parterre.frontend.route.Ranges.C;
import static io.parterre.frontend.route.Ranges.key;
import static io.parterre.frontend.route.Ranges.map;
import static io.parterre.frontend.route.Ranges.range;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.error.BusyReason;
import io.parterre.error.ErrorCode;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class RouterTest {
    private static final Duration PLENTY = Duration.ofSeconds(30);

    private final Router router = new Router(RetryPolicy.DEFAULT);
    private final RangeMap map = map(range(1, "<", "m", 1), range(2, "m", ">", 1, B));

    private static Attempts avoiding(NodeId node) {
        return new Attempts(false, 1, 0, false, Optional.of(node), 0);
    }

    private Optional<NodeId> node(RangeMap at, String key, Attempts attempts) {
        return router.target(at, key(key), attempts).map(Target::node);
    }

    @Test
    void routerTargetIsKnownLeader() {
        RangeMap led = map.withLeader(new RangeId(1), C);
        assertThat(router.target(led, key("a"), Attempts.none(false)))
                .contains(new Target(range(1, "<", "m", 1), C));
    }

    @Test
    void routerTargetRotatesThroughMembers_whenLeaderIsUnknown() {
        assertThat(node(map, "a", Attempts.none(false))).contains(A);
        assertThat(node(map, "a", avoiding(A))).contains(B);
        assertThat(node(map, "a", avoiding(B))).contains(C);
        assertThat(node(map, "a", avoiding(C))).contains(A);
    }

    @Test
    void routerTargetIsOnlyMember_whenItShouldBeAvoided() {
        assertThat(node(map, "z", avoiding(B))).contains(B);
    }

    @Test
    void routerTargetSkipsLeader_whenItJustFailedOrIsNoMember() {
        assertThat(node(map.withLeader(new RangeId(1), A), "a", avoiding(A))).contains(B);
        NodeId gone = new NodeId("gone");
        assertThat(node(map.withLeader(new RangeId(1), gone), "a", Attempts.none(false)))
                .contains(A);
    }

    @Test
    void routerTargetIsEmpty_whenMapHasNoRangeForKey() {
        assertThat(router.target(RangeMap.EMPTY, key("a"), Attempts.none(true))).isEmpty();
    }

    @Test
    void staleReadRetriesOtherMembersAtOnce_untilHopLimit() {
        for (Setback setback :
                List.of(
                        new Setback.NoData(A),
                        new Setback.AgeUnknown(A),
                        new Setback.NotSent(A),
                        new Setback.ConnectionLost(A),
                        new Setback.NotLeader(A, Optional.empty()),
                        new Setback.StaleRange(A, false),
                        new Setback.Busy(Duration.ofSeconds(5), Optional.empty()),
                        new Setback.Overloaded())) {
            NextStep step = router.afterStale(setback, read(1), Duration.ofSeconds(1), 1);
            assertThat(step)
                    .isInstanceOfSatisfying(
                            NextStep.Retry.class,
                            retry -> {
                                assertThat(retry.delay()).isEqualTo(Duration.ZERO);
                                assertThat(retry.attempts().setbacks()).isEqualTo(2);
                            });
            int hopsMax = RetryPolicy.DEFAULT.hopsMax();
            assertThat(
                            router.afterStale(
                                    setback, hopped(hopsMax, hopsMax), Duration.ofSeconds(1), 1))
                    .isEqualTo(
                            router.after(
                                    setback, hopped(hopsMax, hopsMax), Duration.ofSeconds(1), 1));
        }
    }

    @Test
    void staleReadIsNotRetriedElsewhere_whenRetryCannotHelp() {
        assertThat(router.afterStale(new Setback.ScopeFenced(), read(0), Duration.ofSeconds(1), 1))
                .isEqualTo(new NextStep.ReadTableAgain());
        assertThat(
                        router.afterStale(
                                new Setback.Failed(ErrorCode.INTERNAL_ERROR),
                                read(0),
                                Duration.ofSeconds(1),
                                1))
                .isEqualTo(new NextStep.GiveUp(ErrorCode.INTERNAL_ERROR));
    }

    /** One row of the decision table: the state before, what happened, what follows. */
    private record Row(Attempts before, Setback setback, NextStep expected) {
        @Override
        public String toString() {
            return setback + " after " + before + " -> " + expected;
        }
    }

    private static Attempts read(int setbacks) {
        return new Attempts(false, setbacks, 0, false, Optional.empty(), 0);
    }

    private static Attempts write(int setbacks, boolean inDoubt) {
        return new Attempts(true, setbacks, 0, inDoubt, Optional.empty(), 0);
    }

    private static NextStep retry(
            boolean write, int setbacks, int busy, boolean inDoubt, NodeId avoid, long millis) {
        return retry(write, setbacks, busy, inDoubt, avoid, millis, false);
    }

    private static NextStep refresh(
            boolean write, int setbacks, boolean inDoubt, NodeId avoid, long millis) {
        return retry(write, setbacks, 0, inDoubt, avoid, millis, true);
    }

    private static NextStep retry(
            boolean write,
            int setbacks,
            int busy,
            boolean inDoubt,
            NodeId avoid,
            long millis,
            boolean refresh) {
        return new NextStep.Retry(
                new Attempts(write, setbacks, busy, inDoubt, Optional.ofNullable(avoid), 0),
                Duration.ofMillis(millis),
                refresh);
    }

    private static Attempts hopped(int setbacks, int hops) {
        return new Attempts(false, setbacks, 0, false, Optional.empty(), hops);
    }

    private static NextStep hop(
            boolean write, int setbacks, boolean inDoubt, NodeId avoid, int hops, boolean refresh) {
        return new NextStep.Retry(
                new Attempts(write, setbacks, 0, inDoubt, Optional.ofNullable(avoid), hops),
                Duration.ZERO,
                refresh);
    }

    private static NextStep giveUp(ErrorCode code) {
        return new NextStep.GiveUp(code);
    }

    /** With the default policy and all of the jitter: pauses of 10, 20, 40, .. 250 ms. */
    static Stream<Row> decisions() {
        Setback hinted = new Setback.NotLeader(A, Optional.of(B));
        Setback unhinted = new Setback.NotLeader(A, Optional.empty());
        Setback hintsItself = new Setback.NotLeader(A, Optional.of(A));
        Setback learnt = new Setback.StaleRange(A, true);
        Setback lagging = new Setback.StaleRange(A, false);
        Setback busyShort = new Setback.Busy(Duration.ofMillis(20), Optional.empty());
        Setback merging = new Setback.Busy(Duration.ofSeconds(1), Optional.of(BusyReason.MERGE));
        Setback busyLong = new Setback.Busy(Duration.ofMillis(21), Optional.empty());
        Setback inDoubt = new Setback.InDoubt(A);
        Setback fenced = new Setback.ScopeFenced();
        Setback failed = new Setback.Failed(ErrorCode.INTERNAL_ERROR);
        Setback notSent = new Setback.NotSent(A);
        Setback lost = new Setback.ConnectionLost(A);
        Setback overloaded = new Setback.Overloaded();
        Setback unrouted = new Setback.Unrouted();
        return Stream.of(
                // Hints are followed at once, three hops long, and again after a pause.
                new Row(read(0), hinted, hop(false, 1, false, A, 1, false)),
                new Row(hopped(2, 2), hinted, hop(false, 3, false, A, 3, false)),
                new Row(hopped(3, 3), hinted, refresh(false, 4, false, A, 80)),
                new Row(read(4), hinted, hop(false, 5, false, A, 1, false)),
                new Row(write(0, true), hinted, hop(true, 1, true, A, 1, false)),
                new Row(read(0), unhinted, refresh(false, 1, false, A, 10)),
                new Row(read(0), hintsItself, refresh(false, 1, false, A, 10)),
                new Row(write(5, true), unhinted, refresh(true, 6, true, A, 250)),
                // A better map is used at once.
                new Row(read(0), learnt, hop(false, 1, false, null, 1, false)),
                new Row(hopped(3, 3), learnt, retry(false, 4, 0, false, null, 80)),
                new Row(read(0), lagging, refresh(false, 1, false, A, 10)),
                new Row(write(1, true), lagging, refresh(true, 2, true, A, 20)),
                // Busy is the client's affair unless it is short, or the write in doubt.
                new Row(read(0), busyShort, retry(false, 1, 1, false, null, 30)),
                new Row(
                        new Attempts(false, 2, 2, false, Optional.of(B), 0),
                        busyShort,
                        retry(false, 3, 3, false, null, 60)),
                new Row(
                        new Attempts(false, 3, 3, false, Optional.empty(), 0),
                        busyShort,
                        giveUp(ErrorCode.SERVER_BUSY)),
                new Row(read(0), busyLong, giveUp(ErrorCode.SERVER_BUSY)),
                // It is no load that clients could take away.
                new Row(read(0), merging, retry(false, 1, 1, false, null, 10)),
                new Row(write(0, false), merging, retry(true, 1, 1, false, null, 10)),
                new Row(write(0, false), busyLong, giveUp(ErrorCode.SERVER_BUSY)),
                new Row(write(1, true), busyLong, retry(true, 2, 1, true, null, 41)),
                new Row(
                        new Attempts(true, 4, 3, true, Optional.empty(), 0),
                        busyShort,
                        retry(true, 5, 4, true, null, 180)),
                // Doubt stays with a write, and is none for a read.
                new Row(write(0, false), inDoubt, retry(true, 1, 0, true, A, 10)),
                new Row(read(0), inDoubt, retry(false, 1, 0, false, A, 10)),
                new Row(write(0, false), lost, retry(true, 1, 0, true, A, 10)),
                new Row(read(1), lost, retry(false, 2, 0, false, A, 20)),
                new Row(read(1), new Setback.NoData(A), retry(false, 2, 0, false, A, 20)),
                new Row(read(1), new Setback.AgeUnknown(A), retry(false, 2, 0, false, A, 20)),
                // A node that cannot be reached is skipped at once, three hops long.
                new Row(write(0, false), notSent, hop(true, 1, false, A, 1, true)),
                new Row(write(2, true), notSent, hop(true, 3, true, A, 1, true)),
                new Row(hopped(3, 3), notSent, refresh(false, 4, false, A, 80)),
                // A write in doubt must not be written again into a new table.
                new Row(read(0), fenced, new NextStep.ReadTableAgain()),
                new Row(write(1, false), fenced, new NextStep.ReadTableAgain()),
                new Row(write(1, true), fenced, giveUp(ErrorCode.OPERATION_TIMED_OUT)),
                new Row(read(0), failed, giveUp(ErrorCode.INTERNAL_ERROR)),
                new Row(write(1, true), failed, giveUp(ErrorCode.INTERNAL_ERROR)),
                new Row(write(0, false), overloaded, giveUp(ErrorCode.SERVER_BUSY)),
                new Row(write(1, true), overloaded, retry(true, 2, 0, true, null, 20)),
                new Row(read(0), unrouted, refresh(false, 1, false, null, 10)),
                new Row(write(40, true), unrouted, refresh(true, 41, true, null, 250)));
    }

    @ParameterizedTest
    @MethodSource("decisions")
    void nextStepMatchesDecisionTable(Row row) {
        assertThat(router.after(row.setback(), row.before(), PLENTY, 1.0))
                .isEqualTo(row.expected());
    }

    @Test
    void decisionTableCoversEverySetback() {
        List<Class<?>> covered =
                decisions().<Class<?>>map(row -> row.setback().getClass()).distinct().toList();
        assertThat(covered).containsExactlyInAnyOrder(Setback.class.getPermittedSubclasses());
    }

    @Test
    void callFails_whenBackoffWouldExceedDeadline() {
        Setback unrouted = new Setback.Unrouted();
        Duration tenMillis = Duration.ofMillis(10);
        // SERVER_BUSY claims that nothing was written; a write in doubt must not.
        assertThat(router.after(unrouted, write(0, false), tenMillis, 1.0))
                .isEqualTo(giveUp(ErrorCode.SERVER_BUSY));
        assertThat(router.after(unrouted, write(0, true), tenMillis, 1.0))
                .isEqualTo(giveUp(ErrorCode.OPERATION_TIMED_OUT));
        assertThat(router.after(new Setback.ConnectionLost(A), write(0, false), tenMillis, 1.0))
                .isEqualTo(giveUp(ErrorCode.OPERATION_TIMED_OUT));
        assertThat(router.after(new Setback.ConnectionLost(A), read(0), tenMillis, 1.0))
                .isEqualTo(giveUp(ErrorCode.SERVER_BUSY));
        assertThat(router.after(unrouted, write(0, false), Duration.ofMillis(11), 1.0))
                .isEqualTo(refresh(true, 1, false, null, 10));
    }

    @Test
    void callFailsDespiteLeaderHint_whenDeadlineHasPassed() {
        Setback hinted = new Setback.NotLeader(A, Optional.of(B));
        assertThat(router.after(hinted, read(0), Duration.ZERO, 0))
                .isEqualTo(giveUp(ErrorCode.SERVER_BUSY));
    }

    @Test
    void backoffIsHalfOfPause_withLeastJitter() {
        NextStep least = router.after(new Setback.Unrouted(), read(2), PLENTY, 0);
        assertThat(least).isEqualTo(refresh(false, 3, false, null, 20));
    }

    @Test
    void attemptTimeoutIsShorter_whenNodeAlreadyTimedOut() {
        Duration timeout = Duration.ofSeconds(2);
        assertThat(router.silenceMax(timeout, false)).isEqualTo(timeout);
        assertThat(router.silenceMax(timeout, true)).isEqualTo(Duration.ofMillis(250));
    }

    @Test
    void retryPolicyIsRejected_whenMinimumPauseExceedsMaximum() {
        assertThatThrownBy(
                        () ->
                                new RetryPolicy(
                                        Duration.ofMillis(2),
                                        Duration.ofMillis(1),
                                        Duration.ofMillis(1),
                                        1,
                                        1,
                                        Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void retryPolicyIsRejected_whenDelayOrCountMakesNoSense() {
        Duration one = Duration.ofMillis(1);
        Duration none = Duration.ZERO;
        for (ThrowingCallable make :
                List.<ThrowingCallable>of(
                        () -> new RetryPolicy(none, one, one, 0, 0, none),
                        () -> new RetryPolicy(one.plusNanos(1), one, one, 0, 0, none),
                        () -> new RetryPolicy(one, one, none, 0, 0, none),
                        () -> new RetryPolicy(one, one, one, -1, 0, none),
                        () -> new RetryPolicy(one, one, one, 0, -1, none),
                        () -> new RetryPolicy(one, one, one, 0, 0, one.negated()))) {
            assertThatIllegalArgumentException().isThrownBy(make);
        }
        assertThat(new RetryPolicy(one, one, one, 0, 0, none).delay(1, 1)).isEqualTo(one);
    }

    /** The label that operators know it by. */
    @Test
    void setbackIsCountedAsUnrouted_whenNoRangeIsKnown() {
        assertThat(new Setback.Unrouted().reason()).isEqualTo("unrouted");
    }
}

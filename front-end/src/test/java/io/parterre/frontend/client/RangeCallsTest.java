package io.parterre.frontend.client;

import static io.parterre.frontend.client.ClusterFixture.ACCOUNT;
import static io.parterre.frontend.client.ClusterFixture.ALL;
import static io.parterre.frontend.client.ClusterFixture.get;
import static io.parterre.frontend.client.ClusterFixture.in;
import static io.parterre.frontend.client.ClusterFixture.insert;
import static io.parterre.frontend.client.ClusterFixture.range;
import static io.parterre.frontend.client.ClusterFixture.soon;
import static io.parterre.frontend.client.ClusterFixture.splitPoint;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.parterre.error.BusyReason;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.error.Throttle;
import io.parterre.frontend.store.StoredEntity;
import io.parterre.frontend.store.WriteResult;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.manager.LeaderHint;
import io.parterre.proto.manager.MapUpdate;
import io.parterre.proto.range.Busy;
import io.parterre.proto.range.Failed;
import io.parterre.proto.range.InDoubt;
import io.parterre.proto.range.RangeRequest;
import io.parterre.range.RangeDescriptor;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Requests on their way to ranges, and what they meet there. */
final class RangeCallsTest {
    private static CompletionStage<Optional<StoredEntity>> read(ClusterFixture fixture, String pk) {
        return fixture.tables.read(ACCOUNT, "People", pk, "1", Optional.empty(), soon());
    }

    private static CompletionStage<WriteResult> write(ClusterFixture fixture, String pk) {
        return fixture.tables.write(ACCOUNT, "people", List.of(insert(pk, "1")), soon());
    }

    private static void assertCode(CompletionStage<?> stage, ErrorCode code) {
        assertThatThrownBy(() -> get(stage))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        failure -> assertThat(failure.code()).isEqualTo(code));
    }

    private static List<RangeRequest> writes(FakeNode node) {
        return node.requests.stream().filter(RangeRequest::hasCommand).toList();
    }

    @Test
    void readsAndWritesSucceedAtLeader_withoutRetries() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            assertThat(get(write(fixture, "x"))).isEqualTo(new WriteResult.Written(List.of(1001L)));
            assertThat(get(read(fixture, "x")).orElseThrow().view().timestampTicks())
                    .isEqualTo(1001);
            assertThat(get(read(fixture, "y"))).isEmpty();
            assertThat(get(write(fixture, "x")))
                    .isEqualTo(new WriteResult.Refused(ErrorCode.ENTITY_ALREADY_EXISTS, 0));
            assertThat(fixture.setbacks).isEmpty();
            RangeRequest request = writes(fixture.a).get(0);
            assertThat(request.getRangeId()).isEqualTo(1);
            assertThat(request.getGeneration()).isEqualTo(1);
            assertThat(request.getTimeLeftMillis()).isBetween(10_000, 20_000);
            assertThat(request.getCommand().getWriteEntities().getEntityBytesMax())
                    .isEqualTo(1 << 20);
            assertThat(request.getCommand().getWriteEntities().getPropertiesMax()).isEqualTo(252);
        }
    }

    @Test
    void callFollowsLeaderHintAndRemembersIt_whenNodeIsFollower() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            fixture.a.follows(ALL, "c");
            fixture.c.leads(ALL);
            get(read(fixture, "x"));
            assertThat(fixture.setbacks).containsExactly("not_leader");
            get(read(fixture, "y"));
            get(write(fixture, "z"));
            assertThat(fixture.setbacks).containsExactly("not_leader");
            assertThat(fixture.a.requests).hasSize(1);
            assertThat(fixture.b.requests).isEmpty();
        }
    }

    @Test
    void callAsksOtherMembers_whenFollowerHasNoLeaderHint() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            fixture.a.follows(ALL, "");
            fixture.b.follows(ALL, "");
            fixture.c.leads(ALL);
            assertThat(get(read(fixture, "x"))).isEmpty();
            assertThat(fixture.setbacks).containsExactly("not_leader", "not_leader");
        }
    }

    private static CompletionStage<Optional<StoredEntity>> patientRead(
            ClusterFixture fixture, String pk) {
        return fixture.tables.read(
                ACCOUNT, "People", pk, "1", Optional.empty(), in(Duration.ofHours(1)));
    }

    @Test
    void waitingCallRetriesAtOnce_whenManagerReportsLeader() throws Exception {
        try (ClusterFixture fixture =
                new ClusterFixture(
                        Configs::withEndlessPauses, prepared -> {}, () -> Runnable::run)) {
            get(read(fixture, "x"));
            fixture.nodes().forEach(node -> node.follows(ALL, ""));
            CompletionStage<Optional<StoredEntity>> waiting = patientRead(fixture, "x");
            await().until(() -> fixture.setbacks.contains("not_leader"));
            int asked = fixture.a.requests.size();
            // Nothing new: it goes on waiting.
            fixture.manager.pushes(MapUpdate.newBuilder().setVersion(2));
            assertThat(fixture.a.requests).hasSize(asked);

            fixture.b.leads(ALL);
            fixture.manager.pushes(
                    MapUpdate.newBuilder()
                            .setVersion(2)
                            .addLeaders(LeaderHint.newBuilder().setRangeId(1).setNodeId("b")));
            assertThat(get(waiting)).isEmpty();
        }
    }

    @Test
    void waitingCallRetriesAtOnce_whenAnotherCallFindsLeader() throws Exception {
        try (ClusterFixture fixture =
                new ClusterFixture(
                        Configs::withEndlessPauses, prepared -> {}, () -> Runnable::run)) {
            get(read(fixture, "x"));
            fixture.nodes().forEach(node -> node.follows(ALL, ""));
            CompletionStage<Optional<StoredEntity>> waiting = patientRead(fixture, "x");
            await().until(() -> fixture.setbacks.contains("not_leader"));

            fixture.nodes().forEach(node -> node.leads(ALL));
            get(read(fixture, "y"));
            assertThat(get(waiting)).isEmpty();
        }
    }

    @Test
    void callLearnsOfSplitFromNode_whenItsRangeMapIsStale() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            get(read(fixture, "a"));
            RangeDescriptor parent =
                    range(1, new KeyRange(Key.FIRST, splitPoint("m")), 2, "a", "b", "c");
            RangeDescriptor child =
                    range(2, new KeyRange(splitPoint("m"), Key.LAST), 1, "a", "b", "c");
            fixture.a.leads(parent, child);
            assertThat(get(read(fixture, "z"))).isEmpty();
            assertThat(get(read(fixture, "a"))).isEmpty();
            assertThat(fixture.setbacks).containsExactly("stale_range");
            assertThat(fixture.a.requests.get(fixture.a.requests.size() - 2).getRangeId())
                    .isEqualTo(2);
        }
    }

    @Test
    void callLearnsOfMergeFromNode_whenItsRangeMapIsStale() throws Exception {
        RangeDescriptor left = range(1, new KeyRange(Key.FIRST, splitPoint("m")), 2, "a", "b", "c");
        RangeDescriptor right = range(2, new KeyRange(splitPoint("m"), Key.LAST), 2, "a", "b", "c");
        RangeDescriptor joined = range(1, KeyRange.ALL, 4, "a", "b", "c");
        try (ClusterFixture fixture = new ClusterFixture()) {
            fixture.a.leads(left, right);
            get(read(fixture, "a"));
            get(read(fixture, "z"));
            fixture.setbacks.clear();
            fixture.a.drops(right).leads(joined);

            assertThat(get(write(fixture, "z"))).isEqualTo(new WriteResult.Written(List.of(1001L)));
            assertThat(get(read(fixture, "a"))).isEmpty();
            assertThat(fixture.setbacks).containsExactly("stale_range");
            List<RangeRequest> attempts = writes(fixture.a);
            assertThat(attempts).extracting(RangeRequest::getRangeId).containsExactly(2L, 1L);
            assertThat(attempts.get(1).getCommand()).isEqualTo(attempts.get(0).getCommand());
        }
    }

    @Test
    void writeIsAppliedOnce_whenRangeIsAbsorbedBeforeResponse() throws Exception {
        RangeDescriptor left = range(1, new KeyRange(Key.FIRST, splitPoint("m")), 2, "a", "b", "c");
        RangeDescriptor right = range(2, new KeyRange(splitPoint("m"), Key.LAST), 2, "a", "b", "c");
        RangeDescriptor joined = range(1, KeyRange.ALL, 4, "a", "b", "c");
        try (ClusterFixture fixture = new ClusterFixture()) {
            fixture.a.leads(left, right);
            fixture.b.drops(ALL);
            fixture.c.drops(ALL);
            get(read(fixture, "z"));
            fixture.b.follows(joined, "a");
            fixture.c.follows(joined, "a");
            fixture.a.mergesAfterServingNext(right, joined);

            assertThat(get(write(fixture, "z"))).isEqualTo(new WriteResult.Written(List.of(1001L)));
            assertThat(fixture.store.applied()).isEqualTo(1);
            assertThat(fixture.setbacks).contains("in_doubt", "stale_range");
        }
    }

    @Test
    void splitChildLeaderIsAssumed_fromNodeReportingSplit() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            fixture.a.follows(ALL, "c");
            fixture.c.leads(ALL);
            get(read(fixture, "a"));
            RangeDescriptor parent =
                    range(1, new KeyRange(Key.FIRST, splitPoint("m")), 2, "a", "b", "c");
            RangeDescriptor child =
                    range(2, new KeyRange(splitPoint("m"), Key.LAST), 2, "a", "b", "c");
            fixture.a.follows(parent, "").follows(child, "");
            fixture.b.follows(parent, "").follows(child, "");
            fixture.c.leads(parent, child);
            assertThat(get(read(fixture, "z"))).isEmpty();
            assertThat(fixture.setbacks).containsExactly("not_leader", "stale_range");
        }
    }

    @Test
    void callAsksManagerForMap_whenNoMemberHoldsRange() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            get(read(fixture, "a"));
            RangeDescriptor moved = range(1, KeyRange.ALL, 2, "b");
            fixture.a.drops(ALL);
            fixture.b.drops(ALL);
            fixture.c.drops(ALL);
            fixture.manager.tells(FakeManager.map(2, fixture.nodes(), moved));
            fixture.b.leads(moved);
            // The first watch is younger than the shortest time between whole maps.
            assertThat(get(read(fixture, "a"))).isEmpty();
            assertThat(fixture.setbacks).contains("stale_range");
        }
    }

    @Test
    void writeIsAppliedOnce_whenStreamBreaksAfterApply() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            get(read(fixture, "x"));
            fixture.a.breaksAfterServingNext();
            assertThat(get(write(fixture, "x"))).isEqualTo(new WriteResult.Written(List.of(1001L)));
            assertThat(fixture.setbacks).startsWith("connection_lost");
            assertThat(fixture.store.applied()).isEqualTo(1);
            List<RangeRequest> attempts = writes(fixture.a);
            assertThat(attempts).hasSize(2);
            assertThat(attempts.get(1).getCommand()).isEqualTo(attempts.get(0).getCommand());
            assertThat(attempts.get(1).getRequestId()).isNotEqualTo(attempts.get(0).getRequestId());
        }
    }

    @Test
    void writeInDoubtIsRetriedWithSameSequence_untilAcked() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            get(read(fixture, "x"));
            fixture.a
                    .answersNext(answer -> answer.setInDoubt(InDoubt.getDefaultInstance()))
                    .answersNext(
                            answer -> answer.setBusy(Busy.newBuilder().setRetryAfterMillis(30)));
            assertThat(get(write(fixture, "x"))).isEqualTo(new WriteResult.Written(List.of(1001L)));
            List<RangeRequest> attempts = new ArrayList<>(writes(fixture.a));
            attempts.addAll(writes(fixture.b));
            attempts.addAll(writes(fixture.c));
            assertThat(attempts).hasSizeGreaterThanOrEqualTo(3);
            assertThat(attempts)
                    .allMatch(attempt -> attempt.getCommand().equals(attempts.get(0).getCommand()));
        }
    }

    @Test
    void writeInDoubtFailsAsTimeoutNotBusy_whenNoLeaderIsFound() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            get(read(fixture, "x"));
            fixture.a.breaksAfterServingNext();
            fixture.nodes().forEach(node -> node.follows(ALL, ""));
            assertCode(
                    fixture.tables.write(
                            ACCOUNT,
                            "people",
                            List.of(insert("x", "1")),
                            in(Duration.ofSeconds(1))),
                    ErrorCode.OPERATION_TIMED_OUT);
            assertCode(
                    fixture.tables.write(
                            ACCOUNT,
                            "people",
                            List.of(insert("y", "1")),
                            in(Duration.ofMillis(100))),
                    ErrorCode.SERVER_BUSY);
        }
    }

    @Test
    void duplicateResponseIsIgnored_whenNodeAnswersTwice() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            get(read(fixture, "x"));
            fixture.a.answersNextTwice();
            assertThat(get(write(fixture, "x"))).isEqualTo(new WriteResult.Written(List.of(1001L)));
            assertThat(get(read(fixture, "x"))).isPresent();
        }
    }

    @Test
    void callAsksAnotherMember_afterAttemptTimeout() throws Exception {
        UnaryOperator<ClusterClientConfig> impatient =
                config -> Configs.withAttemptTimeout(config, Duration.ofMillis(50));
        try (ClusterFixture fixture =
                new ClusterFixture(impatient, prepared -> {}, () -> Runnable::run)) {
            get(read(fixture, "x"));
            fixture.a.isSilentToNext();
            fixture.b.leads(ALL);
            assertThat(get(read(fixture, "x"))).isEmpty();
            assertThat(fixture.setbacks).containsExactly("connection_lost");
            assertThat(fixture.b.requests).hasSize(1);
        }
    }

    /** The others name a paused leader until they have elected another one. */
    @Test
    void retriesWaitLessForHungLeader_whenFollowersStillNameIt() throws Exception {
        Duration attemptTimeout = Duration.ofSeconds(2);
        UnaryOperator<ClusterClientConfig> patient =
                config -> Configs.withAttemptTimeout(config, attemptTimeout);
        try (ClusterFixture fixture =
                new ClusterFixture(patient, prepared -> {}, () -> Runnable::run)) {
            get(read(fixture, "x"));
            int silences = 4;
            for (int i = 0; i < silences; i++) {
                fixture.a.isSilentToNext();
            }
            long begunNanos = System.nanoTime();
            assertThat(get(write(fixture, "x"))).isInstanceOf(WriteResult.Written.class);
            Duration took = Duration.ofNanos(System.nanoTime() - begunNanos);
            assertThat(fixture.setbacks.stream().filter("connection_lost"::equals))
                    .hasSize(silences);
            assertThat(took).isLessThan(attemptTimeout.multipliedBy(silences));
        }
    }

    @Test
    void writeTimesOutAtDeadline_whenOnlyMemberIsUnresponsive() throws Exception {
        RangeDescriptor alone = range(1, KeyRange.ALL, 1, "a");
        try (ClusterFixture fixture =
                ClusterFixture.prepared(
                        prepared ->
                                prepared.manager.tells(
                                        FakeManager.map(1, prepared.nodes(), alone)))) {
            get(read(fixture, "x"));
            fixture.a.isSilentToNext();
            assertCode(
                    fixture.tables.write(
                            ACCOUNT,
                            "people",
                            List.of(insert("x", "1")),
                            in(Duration.ofMillis(500))),
                    ErrorCode.OPERATION_TIMED_OUT);
            assertThat(fixture.setbacks).containsExactly("connection_lost");
            // What comes next does not suffer.
            assertThat(get(write(fixture, "y"))).isInstanceOf(WriteResult.Written.class);
        }
    }

    @Test
    void busyResponseIsRetriedOnly_whenRetryAfterIsShort() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            get(read(fixture, "x"));
            fixture.a.answersNext(
                    answer -> answer.setBusy(Busy.newBuilder().setRetryAfterMillis(1_000)));
            assertCode(write(fixture, "x"), ErrorCode.SERVER_BUSY);
            fixture.a.answersNext(
                    answer -> answer.setBusy(Busy.newBuilder().setRetryAfterMillis(1)));
            assertThat(get(write(fixture, "x"))).isInstanceOf(WriteResult.Written.class);
        }
    }

    @Test
    void busyErrorCarriesReasonAndRetryAfter_whenNodeIsBusy() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            get(read(fixture, "x"));
            fixture.a.answersNext(
                    answer ->
                            answer.setBusy(
                                    Busy.newBuilder()
                                            .setRetryAfterMillis(50)
                                            .setReason("hot partition")));
            assertThatThrownBy(() -> get(write(fixture, "x")))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            refusal ->
                                    assertThat(refusal.throttle())
                                            .contains(
                                                    new Throttle(
                                                            BusyReason.HOT_PARTITION,
                                                            Duration.ofMillis(50))));
        }
    }

    @Test
    void nodeFailureMapsToInternalErrorOrTimeout() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            get(read(fixture, "x"));
            fixture.a.answersNext(
                    answer -> answer.setFailed(Failed.newBuilder().setCode("ServerBusy")));
            assertCode(write(fixture, "x"), ErrorCode.INTERNAL_ERROR);
            fixture.a.answersNext(
                    answer -> answer.setFailed(Failed.newBuilder().setCode("OperationTimedOut")));
            assertCode(write(fixture, "x"), ErrorCode.OPERATION_TIMED_OUT);
            fixture.a.answersNext(answer -> answer);
            assertCode(read(fixture, "x"), ErrorCode.INTERNAL_ERROR);
        }
    }

    @Test
    void callIsRejectedAtOnce_whenNodeRequestLimitIsReached() throws Exception {
        UnaryOperator<ClusterClientConfig> few = config -> Configs.withNodeRequestsMax(config, 2);
        try (ClusterFixture fixture =
                new ClusterFixture(few, prepared -> {}, () -> Runnable::run)) {
            get(read(fixture, "x"));
            fixture.a.isSilentToNext().isSilentToNext();
            fixture.tables.read(
                    ACCOUNT, "people", "x", "1", Optional.empty(), in(Duration.ofSeconds(1)));
            CompletionStage<Optional<StoredEntity>> second =
                    fixture.tables.read(
                            ACCOUNT,
                            "people",
                            "x",
                            "1",
                            Optional.empty(),
                            in(Duration.ofSeconds(1)));
            CompletionStage<Optional<StoredEntity>> third = read(fixture, "x");
            assertThat(third.toCompletableFuture()).isDone();
            assertCode(third, ErrorCode.SERVER_BUSY);
            assertCode(second, ErrorCode.SERVER_BUSY);
            // And when those have ended, there is room again.
            assertThat(get(read(fixture, "x"))).isEmpty();
        }
    }

    @Test
    void requestsOfOneEventLoopRoundAreSentAsOneBundle() throws Exception {
        Queue<Runnable> round = new ArrayDeque<>();
        Executor later = round::add;
        try (ClusterFixture fixture =
                new ClusterFixture(UnaryOperator.identity(), prepared -> {}, () -> later)) {
            List<CompletionStage<Optional<StoredEntity>>> reads = new ArrayList<>();
            reads.add(read(fixture, "x"));
            runUntilDone(round, reads.get(0));
            int before = fixture.a.bundles.size();
            for (int i = 0; i < 100; i++) {
                reads.add(read(fixture, "x" + i));
            }
            assertThat(fixture.a.bundles).hasSize(before);
            runUntilDone(round, reads.get(100));
            assertThat(fixture.a.bundles).hasSize(before + 1);
            assertThat(fixture.a.bundles.get(before).getRequestsCount()).isEqualTo(100);
            for (CompletionStage<Optional<StoredEntity>> read : reads) {
                assertThat(read.toCompletableFuture()).isCompleted();
            }
        }
    }

    private static void runUntilDone(Queue<Runnable> round, CompletionStage<?> stage) {
        while (!stage.toCompletableFuture().isDone()) {
            assertThat(round).isNotEmpty();
            round.remove().run();
        }
        while (!round.isEmpty()) {
            round.remove().run();
        }
    }

    @Test
    void requestBundleIsLimited_byCountAndBytes() throws Exception {
        Queue<Runnable> round = new ArrayDeque<>();
        Executor later = round::add;
        UnaryOperator<ClusterClientConfig> small = config -> Configs.withBundles(config, 10, 500);
        try (ClusterFixture fixture = new ClusterFixture(small, prepared -> {}, () -> later)) {
            runUntilDone(round, read(fixture, "x"));
            int before = fixture.a.bundles.size();
            CompletionStage<?> last = read(fixture, "x");
            for (int i = 0; i < 24; i++) {
                last = read(fixture, "x");
            }
            for (int i = 0; i < 3; i++) {
                last = read(fixture, "x".repeat(300));
            }
            runUntilDone(round, last);
            assertThat(fixture.a.bundles.subList(before, fixture.a.bundles.size()))
                    .extracting(bundle -> bundle.getRequestsCount())
                    .hasSizeGreaterThanOrEqualTo(5)
                    .allMatch(count -> count <= 10)
                    .endsWith(1, 1);
        }
    }

    @Test
    void writeCommandCarriesLowestUnsettledSequence() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            get(read(fixture, "x"));
            get(write(fixture, "1"));
            fixture.a.isSilentToNext();
            CompletionStage<WriteResult> open =
                    fixture.tables.write(
                            ACCOUNT,
                            "people",
                            List.of(insert("2", "1")),
                            in(Duration.ofSeconds(1)));
            get(write(fixture, "3"));
            get(write(fixture, "4"));
            assertThat(writes(fixture.a))
                    .extracting(
                            request -> request.getCommand().getSequence(),
                            request -> request.getCommand().getSettledBelow())
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple(1L, 1L),
                            org.assertj.core.groups.Tuple.tuple(2L, 2L),
                            org.assertj.core.groups.Tuple.tuple(3L, 2L),
                            org.assertj.core.groups.Tuple.tuple(4L, 2L));
            assertCode(open, ErrorCode.OPERATION_TIMED_OUT);
            get(write(fixture, "5"));
            List<RangeRequest> all = writes(fixture.a);
            assertThat(all.get(all.size() - 1).getCommand().getSettledBelow()).isEqualTo(5);
        }
    }

    @Test
    void waitingWriteSucceeds_afterAllNodesRestart() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            get(read(fixture, "x"));
            fixture.nodes().forEach(FakeNode::stop);
            CompletionStage<WriteResult> write = write(fixture, "x");
            await().until(() -> fixture.setbacks.contains("not_sent"));
            for (FakeNode node : fixture.nodes()) {
                node.start();
            }
            assertThat(get(write)).isEqualTo(new WriteResult.Written(List.of(1001L)));
        }
    }

    @Test
    void waitingCallsFailAsBusy_whenClientIsClosed() throws Exception {
        ClusterFixture fixture = new ClusterFixture();
        get(read(fixture, "x"));
        fixture.nodes().forEach(node -> node.follows(ALL, ""));
        CompletionStage<WriteResult> waiting = write(fixture, "x");
        await().until(() -> fixture.setbacks.size() > 3);
        fixture.close();
        assertCode(waiting, ErrorCode.SERVER_BUSY);
        assertCode(read(fixture, "x"), ErrorCode.SERVER_BUSY);
    }
}

package io.parterre.frontend.client;

import static io.parterre.frontend.client.ClusterFixture.ACCOUNT;
import static io.parterre.frontend.client.ClusterFixture.ALL;
import static io.parterre.frontend.client.ClusterFixture.assertCode;
import static io.parterre.frontend.client.ClusterFixture.get;
import static io.parterre.frontend.client.ClusterFixture.in;
import static io.parterre.frontend.client.ClusterFixture.insert;
import static io.parterre.frontend.client.ClusterFixture.writes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.error.BusyReason;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.error.Throttle;
import io.parterre.frontend.store.WriteResult;
import io.parterre.proto.range.Busy;
import io.parterre.proto.range.Failed;
import io.parterre.proto.range.InDoubt;
import io.parterre.proto.range.RangeRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Answers of a node other than a result: busy, failed, in doubt, or given twice. */
final class NodeAnswersTest {
    @Test
    void writeIsAppliedOnce_whenStreamBreaksAfterApply() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            get(fixture.read("x"));
            fixture.a.breaksAfterServingNext();
            assertThat(get(fixture.write("x"))).isEqualTo(new WriteResult.Written(List.of(1001L)));
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
            get(fixture.read("x"));
            fixture.a
                    .answersNext(answer -> answer.setInDoubt(InDoubt.getDefaultInstance()))
                    .answersNext(
                            answer -> answer.setBusy(Busy.newBuilder().setRetryAfterMillis(30)));
            assertThat(get(fixture.write("x"))).isEqualTo(new WriteResult.Written(List.of(1001L)));
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
            get(fixture.read("x"));
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
            get(fixture.read("x"));
            fixture.a.answersNextTwice();
            assertThat(get(fixture.write("x"))).isEqualTo(new WriteResult.Written(List.of(1001L)));
            assertThat(get(fixture.read("x"))).isPresent();
        }
    }

    @Test
    void busyResponseIsRetriedOnly_whenRetryAfterIsShort() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            get(fixture.read("x"));
            fixture.a.answersNext(
                    answer -> answer.setBusy(Busy.newBuilder().setRetryAfterMillis(1_000)));
            assertCode(fixture.write("x"), ErrorCode.SERVER_BUSY);
            fixture.a.answersNext(
                    answer -> answer.setBusy(Busy.newBuilder().setRetryAfterMillis(1)));
            assertThat(get(fixture.write("x"))).isInstanceOf(WriteResult.Written.class);
        }
    }

    @Test
    void busyErrorCarriesReasonAndRetryAfter_whenNodeIsBusy() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            get(fixture.read("x"));
            fixture.a.answersNext(
                    answer ->
                            answer.setBusy(
                                    Busy.newBuilder()
                                            .setRetryAfterMillis(50)
                                            .setReason("hot partition")));
            assertThatThrownBy(() -> get(fixture.write("x")))
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
            get(fixture.read("x"));
            fixture.a.answersNext(
                    answer -> answer.setFailed(Failed.newBuilder().setCode("ServerBusy")));
            assertCode(fixture.write("x"), ErrorCode.INTERNAL_ERROR);
            fixture.a.answersNext(
                    answer -> answer.setFailed(Failed.newBuilder().setCode("OperationTimedOut")));
            assertCode(fixture.write("x"), ErrorCode.OPERATION_TIMED_OUT);
            fixture.a.answersNext(answer -> answer);
            assertCode(fixture.read("x"), ErrorCode.INTERNAL_ERROR);
        }
    }
}

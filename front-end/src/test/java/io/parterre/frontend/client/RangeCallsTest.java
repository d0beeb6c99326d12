package io.parterre.frontend.client;

import static io.parterre.frontend.client.ClusterFixture.ACCOUNT;
import static io.parterre.frontend.client.ClusterFixture.ALL;
import static io.parterre.frontend.client.ClusterFixture.assertCode;
import static io.parterre.frontend.client.ClusterFixture.get;
import static io.parterre.frontend.client.ClusterFixture.in;
import static io.parterre.frontend.client.ClusterFixture.insert;
import static io.parterre.frontend.client.ClusterFixture.range;
import static io.parterre.frontend.client.ClusterFixture.writes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parterre.error.ErrorCode;
import io.parterre.frontend.store.StoredEntity;
import io.parterre.frontend.store.WriteResult;
import io.parterre.key.KeyRange;
import io.parterre.proto.manager.LeaderHint;
import io.parterre.proto.manager.MapUpdate;
import io.parterre.proto.range.RangeRequest;
import io.parterre.range.RangeDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Requests on their way to the leaders of ranges, and what they meet there. */
final class RangeCallsTest {
    @Test
    void readsAndWritesSucceedAtLeader_withoutRetries() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            assertThat(get(fixture.write("x"))).isEqualTo(new WriteResult.Written(List.of(1001L)));
            assertThat(get(fixture.read("x")).orElseThrow().view().timestampTicks())
                    .isEqualTo(1001);
            assertThat(get(fixture.read("y"))).isEmpty();
            assertThat(get(fixture.write("x")))
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
            get(fixture.read("x"));
            assertThat(fixture.setbacks).containsExactly("not_leader");
            get(fixture.read("y"));
            get(fixture.write("z"));
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
            assertThat(get(fixture.read("x"))).isEmpty();
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
            get(fixture.read("x"));
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
            get(fixture.read("x"));
            fixture.nodes().forEach(node -> node.follows(ALL, ""));
            CompletionStage<Optional<StoredEntity>> waiting = patientRead(fixture, "x");
            await().until(() -> fixture.setbacks.contains("not_leader"));

            fixture.nodes().forEach(node -> node.leads(ALL));
            get(fixture.read("y"));
            assertThat(get(waiting)).isEmpty();
        }
    }

    @Test
    void oneCallAsksForAll_whenRangeHasNoLeader() throws Exception {
        try (ClusterFixture fixture =
                new ClusterFixture(Configs::withScoutsAlone, prepared -> {}, () -> Runnable::run)) {
            get(fixture.read("x"));
            fixture.nodes().forEach(node -> node.follows(ALL, ""));
            List<CompletionStage<Optional<StoredEntity>>> waiting =
                    Stream.of("x", "y", "z").map(pk -> patientRead(fixture, pk)).toList();
            await().until(() -> fixture.setbacks.size() > 20);

            fixture.nodes().forEach(node -> node.leads(ALL));
            for (CompletionStage<Optional<StoredEntity>> each : waiting) {
                assertThat(get(each)).isEmpty();
            }
        }
    }

    @Test
    void callAsksAnotherMember_afterAttemptTimeout() throws Exception {
        UnaryOperator<ClusterClientConfig> impatient =
                config -> Configs.withAttemptTimeout(config, Duration.ofMillis(50));
        try (ClusterFixture fixture =
                new ClusterFixture(impatient, prepared -> {}, () -> Runnable::run)) {
            get(fixture.read("x"));
            fixture.a.isSilentToNext();
            fixture.b.leads(ALL);
            assertThat(get(fixture.read("x"))).isEmpty();
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
            get(fixture.read("x"));
            int silences = 4;
            for (int i = 0; i < silences; i++) {
                fixture.a.isSilentToNext();
            }
            long begunNanos = System.nanoTime();
            assertThat(get(fixture.write("x"))).isInstanceOf(WriteResult.Written.class);
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
            get(fixture.read("x"));
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
            assertThat(get(fixture.write("y"))).isInstanceOf(WriteResult.Written.class);
        }
    }

    @Test
    void writeCommandCarriesLowestUnsettledSequence() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            get(fixture.read("x"));
            get(fixture.write("1"));
            fixture.a.isSilentToNext();
            CompletionStage<WriteResult> open =
                    fixture.tables.write(
                            ACCOUNT,
                            "people",
                            List.of(insert("2", "1")),
                            in(Duration.ofSeconds(1)));
            get(fixture.write("3"));
            get(fixture.write("4"));
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
            get(fixture.write("5"));
            List<RangeRequest> all = writes(fixture.a);
            assertThat(all.get(all.size() - 1).getCommand().getSettledBelow()).isEqualTo(5);
        }
    }

    @Test
    void waitingWriteSucceeds_afterAllNodesRestart() throws Exception {
        try (ClusterFixture fixture = new ClusterFixture()) {
            get(fixture.read("x"));
            fixture.nodes().forEach(FakeNode::stop);
            CompletionStage<WriteResult> write = fixture.write("x");
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
        get(fixture.read("x"));
        fixture.nodes().forEach(node -> node.follows(ALL, ""));
        CompletionStage<WriteResult> waiting = fixture.write("x");
        await().until(() -> fixture.setbacks.size() > 3);
        fixture.close();
        assertCode(waiting, ErrorCode.SERVER_BUSY);
        assertCode(fixture.read("x"), ErrorCode.SERVER_BUSY);
    }
}

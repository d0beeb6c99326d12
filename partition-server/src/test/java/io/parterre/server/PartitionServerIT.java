package io.parterre.server;

import static io.parterre.server.Commands.createTable;
import static io.parterre.server.Commands.fence;
import static io.parterre.server.Commands.insert;
import static io.parterre.server.Commands.key;
import static io.parterre.server.RangeClient.command;
import static io.parterre.server.RangeClient.read;
import static io.parterre.server.RangeClient.scan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.DistributionSummary;
import io.parterre.directory.TableRecord;
import io.parterre.directory.TableRecordCodec;
import io.parterre.entity.Entity;
import io.parterre.entity.EntityCodec;
import io.parterre.entity.EntityPage;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.EntityOperation;
import io.parterre.proto.range.Member;
import io.parterre.proto.range.Projection;
import io.parterre.proto.range.RangeResponse;
import io.parterre.proto.range.SetMembers;
import io.parterre.range.DescriptorCodec;
import io.parterre.release.FeatureLevel;
import io.parterre.release.FeatureLevels;
import io.parterre.release.NewerReleaseException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A whole partition server at work: real Raft, real store, real gRPC. */
@Execution(ExecutionMode.CONCURRENT)
final class PartitionServerIT {
    private static final KeyRange TABLE = KeyRange.ofPrefix(KeyCodec.scope(Commands.TABLE));

    @TempDir Path folder;

    @Test
    void readAndScanReturnWrittenEntities() throws Exception {
        try (RunningServer running = RunningServer.start(folder)) {
            RangeClient client = running.client();
            RangeResponse first = client.callWhenReady(command(insert(1, "a", "1", "one")));
            long ticks = first.getOutcome().getWritten().getTimestampTicks(0);
            client.callWhenReady(command(insert(2, "a", "2", "two")));
            client.callWhenReady(command(insert(3, "b", "1", "three")));

            byte[] value =
                    client.callWhenReady(read(key("a", "1"))).getRow().getValue().toByteArray();
            RangeResponse page = client.callWhenReady(scan(TABLE, 2));

            assertThat(EntityCodec.timestampTicks(value)).isEqualTo(ticks);
            assertThat(EntityCodec.blockOf(value)).isEqualTo(Commands.block("one"));
            List<Entity> entities = EntityPage.decode(page.getScanPage().getRows().toByteArray());
            assertThat(entities).extracting(Entity::rowKey).containsExactly("1", "2");
            assertThat(page.getScanPage().getResumeKey()).isEqualTo(Commands.bytes(key("b", "1")));
            assertThat(client.callWhenReady(read(key("a", "3"))).getRow().hasValue()).isFalse();
        }
    }

    @Test
    void readReturnsNoProperties_whenProjectionIsEmpty() throws Exception {
        try (RunningServer running = RunningServer.start(folder)) {
            RangeClient client = running.client();
            client.callWhenReady(command(insert(1, "a", "1", "one")));
            io.parterre.proto.range.RangeRequest.Builder request = read(key("a", "1"));
            request.getReadRowBuilder().setProjection(Projection.getDefaultInstance());

            byte[] value = client.callWhenReady(request).getRow().getValue().toByteArray();

            assertThat(EntityCodec.blockOf(value)).isEmpty();
        }
    }

    @Test
    void tableDirectoryScansRawAndRejectsDuplicateTable() throws Exception {
        try (RunningServer running = RunningServer.start(folder)) {
            RangeClient client = running.client();
            client.callWhenReady(command(createTable(1, "People", 11)));
            RangeResponse second = client.callWhenReady(command(createTable(2, "people", 12)));
            RangeResponse page =
                    client.callWhenReady(
                            scan(
                                    KeyRange.ofPrefix(
                                            KeyCodec.scope(
                                                    Scope.ofTableDirectory(Commands.ACCOUNT))),
                                    10));
            byte[] row =
                    client.callWhenReady(read(Commands.directoryKey("people")))
                            .getRow()
                            .getValue()
                            .toByteArray();

            assertThat(second.getOutcome().getRejected().getCode()).isEqualTo("TableAlreadyExists");
            assertThat(TableRecordCodec.decode(row))
                    .isEqualTo(new TableRecord("People", new ObjectId(11), TableRecord.State.LIVE));
            assertThat(page.getScanPage().getRowCount()).isEqualTo(1);
            assertThat(page.getScanPage().getRows().endsWith(ByteString.copyFrom(row))).isTrue();
        }
    }

    @Test
    void fencedScopeRejectsWritesReadsAndScans() throws Exception {
        try (RunningServer running = RunningServer.start(folder)) {
            RangeClient client = running.client();
            client.callWhenReady(command(insert(1, "a", "1", "one")));

            RangeResponse fenced = client.callWhenReady(command(fence(2, Commands.TABLE)));

            assertThat(fenced.getOutcome().hasFenced()).isTrue();
            assertThat(client.callWhenReady(command(insert(3, "a", "2", "two"))).hasScopeFenced())
                    .isTrue();
            assertThat(client.callWhenReady(read(key("a", "1"))).hasScopeFenced()).isTrue();
            assertThat(client.callWhenReady(scan(TABLE, 10)).hasScopeFenced()).isTrue();
        }
    }

    @Test
    void retryReturnsFirstOutcome_whenCommandAlreadyExecuted() throws Exception {
        try (RunningServer running = RunningServer.start(folder)) {
            RangeClient client = running.client();
            RangeResponse first = client.callWhenReady(command(insert(1, "a", "1", "one")));
            RangeResponse repeat = client.callWhenReady(command(insert(1, "a", "1", "one")));
            RangeResponse other = client.callWhenReady(command(insert(2, "a", "1", "one")));

            assertThat(first.getOutcome().hasWritten()).isTrue();
            assertThat(repeat.getOutcome()).isEqualTo(first.getOutcome());
            assertThat(other.getOutcome().getRejected().getCode()).isEqualTo("EntityAlreadyExists");
        }
    }

    @Test
    void commandIsNotExecuted_whenSequenceIsBelowSettledMark() throws Exception {
        try (RunningServer running = RunningServer.start(folder)) {
            RangeClient client = running.client();
            client.callWhenReady(command(insert(5, "a", "1", "one").setSettledBelow(5)));

            RangeResponse late = client.callWhenReady(command(insert(4, "a", "2", "two")));

            assertThat(late.getFailed().getCode())
                    .as(late.toString())
                    .isEqualTo("OperationTimedOut");
            assertThat(client.callWhenReady(read(key("a", "2"))).getRow().hasValue()).isFalse();
        }
    }

    @Test
    void requestGetsCurrentDescriptors_whenRangeOrGenerationIsStale() throws Exception {
        try (RunningServer running = RunningServer.start(folder)) {
            RangeClient client = running.client();
            client.callWhenReady(command(insert(1, "a", "1", "one")));

            for (RangeResponse stale :
                    List.of(
                            client.callWhenReady(
                                    read(key("a", "1")).setRangeId(1).setGeneration(2)),
                            client.callWhenReady(scan(TABLE, 1).setRangeId(2).setGeneration(1)),
                            client.callWhenReady(
                                    command(insert(2, "a", "2", "two"))
                                            .setRangeId(2)
                                            .setGeneration(1)))) {
                assertThat(stale.getStaleRange().getDescriptorsList())
                        .containsExactly(DescriptorCodec.toProto(RunningServer.WHOLE));
            }
            assertThat(client.callWhenReady(read(key("a", "2"))).getRow().hasValue()).isFalse();
        }
    }

    @Test
    void malformedRequestIsRejected_withoutClosingTheStream() throws Exception {
        try (RunningServer running = RunningServer.start(folder)) {
            RangeClient client = running.client();
            client.callWhenReady(command(insert(1, "a", "1", "one")));

            for (io.parterre.proto.range.RangeRequest.Builder malformed :
                    List.of(
                            command(insert(2, "a", "1", "x").setSettledBelow(9)),
                            command(insert(2, "a", "1", "x").clearWriteEntities()),
                            read(io.parterre.key.Key.copyOf(new byte[] {2, 0})),
                            scan(KeyRange.ALL, 1),
                            io.parterre.proto.range.RangeRequest.newBuilder(),
                            read(key("a", "1")).setRangeId(-1))) {
                assertThat(client.callWhenReady(malformed).getFailed().getCode())
                        .isEqualTo("InvalidInput");
            }
            assertThat(client.callWhenReady(read(key("a", "1"))).getRow().hasValue()).isTrue();
        }
    }

    @Test
    void commandsShareLogEntries_whenManyWritersAreConcurrent() throws Exception {
        int writers = 100;
        int each = 20;
        try (RunningServer running = RunningServer.start(folder)) {
            running.client().callWhenReady(command(insert(1, "start", "0", "x")));
            List<CompletableFuture<Void>> done = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                done.add(write(running.client(), writer, 0, each));
            }
            for (CompletableFuture<Void> writer : done) {
                writer.get(60, TimeUnit.SECONDS);
            }

            RangeResponse page = running.client().callWhenReady(scan(TABLE, 10_000));
            assertThat(page.getScanPage().getRowCount()).isEqualTo(1 + writers * each);
            DistributionSummary packed =
                    running.meters.get("partition_server_entry_commands").summary();
            assertThat(packed.totalAmount()).isEqualTo(1 + writers * each);
            assertThat(packed.count()).isLessThan(writers * each / 4);
        }
    }

    /** Writes entities one after the other, as one client would. */
    private static CompletableFuture<Void> write(
            RangeClient client, int writer, int number, int end) {
        if (number == end) {
            return CompletableFuture.completedFuture(null);
        }
        long sequence = 10L + writer * 1_000L + number;
        return client.send(command(insert(sequence, "w" + writer, "" + number, "x".repeat(1_000))))
                .thenCompose(
                        response -> {
                            assertThat(response.getOutcome().hasWritten())
                                    .as(response.toString())
                                    .isTrue();
                            return write(client, writer, number + 1, end);
                        });
    }

    @Test
    void batchIsRejected_whenLargerThanBodyLimit() throws Exception {
        try (RunningServer running = RunningServer.start(folder)) {
            RangeClient client = running.client();
            client.callWhenReady(command(insert(1, "a", "1", "one")));
            String large = "x".repeat(1 << 18);

            RangeResponse taken =
                    client.callWhenReady(
                            command(
                                    Commands.write(
                                            2, EntityOperation.Kind.INSERT, "a", "2", large)));
            io.parterre.proto.range.Command.Builder tooLarge = insert(3, "b", "0", large);
            for (int i = 1; i < 24; i++) {
                tooLarge.getWriteEntitiesBuilder()
                        .addOperations(
                                insert(3, "b", "" + i, large).getWriteEntities().getOperations(0));
            }
            RangeResponse refused = client.callWhenReady(command(tooLarge));
            RangeResponse after = client.callWhenReady(command(insert(4, "a", "3", "three")));

            assertThat(taken.getOutcome().hasWritten()).isTrue();
            assertThat(refused.getOutcome().getRejected().getCode())
                    .isEqualTo("RequestBodyTooLarge");
            assertThat(after.getOutcome().hasWritten()).isTrue();
        }
    }

    @Test
    void closeEndsStreamsAndKeepsAckedWrites_whileWritesAreInFlight() throws Exception {
        RunningServer running = RunningServer.start(folder);
        running.client().callWhenReady(command(insert(1, "a", "1", "one")));
        List<CompletableFuture<RangeResponse>> sent = new ArrayList<>();
        for (int i = 2; i < 200; i++) {
            sent.add(running.client().send(command(insert(i, "a", "" + i, "x"))));
        }
        running.close();

        int written = 1;
        for (CompletableFuture<RangeResponse> response : sent) {
            if (isWritten(response)) {
                written++;
            }
        }
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> running.client().ended().get(60, TimeUnit.SECONDS))
                .havingCause()
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        cause ->
                                assertThat(cause.getStatus().getCode())
                                        .isEqualTo(Status.Code.UNAVAILABLE));
        try (RunningServer again = RunningServer.start(folder)) {
            again.client().callWhenReady(read(key("a", "1")));
            assertThat(again.client().callWhenReady(scan(TABLE, 1_000)).getScanPage().getRowCount())
                    .isGreaterThanOrEqualTo(written);
        }
    }

    private static boolean isWritten(CompletableFuture<RangeResponse> response) throws Exception {
        try {
            return response.get(60, TimeUnit.SECONDS).getOutcome().hasWritten();
        } catch (ExecutionException unanswered) {
            return false;
        }
    }

    @Test
    void nodeReportsItsIdentityAndReplicasToManager() throws Exception {
        FakeManager manager = new FakeManager("cluster-1", List.of(RunningServer.WHOLE));
        try (RunningServer running = RunningServer.start(RunningServer.config(folder), manager)) {
            running.client().callWhenReady(command(insert(1, "a", "1", "one")));
            org.awaitility.Awaitility.await()
                    .until(
                            () ->
                                    manager.reports().stream()
                                            .anyMatch(
                                                    report ->
                                                            report.getReplicasCount() == 1
                                                                    && report.getReplicas(0)
                                                                            .getLeading()
                                                                    && report.getClusterId()
                                                                            .equals("cluster-1")));
            assertThat(manager.reports().get(0).getClusterId()).isEmpty();
            assertThat(manager.reports().get(0).getNode().getNodeId())
                    .isEqualTo(RunningServer.NODE);
            assertThat(manager.reports().get(0).getNode().getRaftAddress())
                    .isEqualTo(running.server.raftAddress());
            assertThat(manager.reports().get(0).getNode().getIncarnation()).isNotEmpty();
        }
    }

    @Test
    void nodeFails_whenManagerBelongsToAnotherCluster() throws Exception {
        try (RunningServer running = RunningServer.start(folder)) {
            running.client().callWhenReady(command(insert(1, "a", "1", "one")));
        }
        FakeManager foreign = new FakeManager("cluster-2", List.of());
        try (RunningServer running = RunningServer.start(RunningServer.config(folder), foreign)) {
            assertThat(running.failure().cause())
                    .hasMessageContaining("belongs to cluster cluster-1");
        }
    }

    @Test
    void nodeFailsAsTooOld_whenClusterLevelIsNewer() throws Exception {
        FakeManager newer = new FakeManager("cluster-1", List.of(RunningServer.WHOLE));
        newer.hasLevel(FeatureLevel.NEWEST.value() + 1);
        try (RunningServer running = RunningServer.start(RunningServer.config(folder), newer)) {
            assertThat(running.failures.poll(10, TimeUnit.SECONDS).cause())
                    .isInstanceOf(NewerReleaseException.class)
                    .hasMessageContaining(
                            "the cluster has feature level "
                                    + (FeatureLevel.NEWEST.value() + 1)
                                    + " (expected: "
                                    + FeatureLevels.OF_RELEASE);
        }
    }

    @Test
    void nodeTellsWhatItReadsAndKeepsTheLevel_thatManagersTell() throws Exception {
        FakeManager manager = new FakeManager("cluster-1", List.of(RunningServer.WHOLE));
        manager.hasLevel(0);
        try (RunningServer running = RunningServer.start(RunningServer.config(folder), manager)) {
            running.client().callWhenReady(command(insert(1, "a", "1", "one")));
            assertThat(manager.reports().get(0).getFeatureLevels().getNewest())
                    .isEqualTo(FeatureLevel.NEWEST.value());
            assertThat(folder.resolve("NODE")).content().contains("format=1");
            manager.hasLevel(FeatureLevel.NEWEST.value());
            org.awaitility.Awaitility.await()
                    .until(
                            () ->
                                    java.nio.file.Files.readString(folder.resolve("NODE"))
                                            .contains("format=" + FeatureLevel.NEWEST));
        }
    }

    @Test
    void commandIsRejected_whenFieldOfItIsUnknown() throws Exception {
        try (RunningServer running = RunningServer.start(folder)) {
            running.client().callWhenReady(command(insert(1, "a", "1", "one")));
            RangeResponse answer =
                    running.client()
                            .callWhenReady(
                                    command(
                                            insert(2, "a", "2", "two")
                                                    .setUnknownFields(
                                                            UnknownFieldSet.newBuilder()
                                                                    .addField(
                                                                            99,
                                                                            UnknownFieldSet.Field
                                                                                    .newBuilder()
                                                                                    .addVarint(1)
                                                                                    .build())
                                                                    .build())));
            assertThat(answer.getFailed().getCode()).isEqualTo("InvalidInput");
            assertThat(running.client().callWhenReady(read(key("a", "2"))).getRow().hasValue())
                    .isFalse();
        }
    }

    @Test
    void memberChangeIsRejected_whenSentByFrontEnd() throws Exception {
        try (RunningServer running = RunningServer.start(folder)) {
            running.client().callWhenReady(command(insert(1, "a", "1", "one")));
            RangeResponse answer =
                    running.client()
                            .callWhenReady(
                                    command(
                                            Command.newBuilder()
                                                    .setSenderId(Commands.SENDER)
                                                    .setSequence(2)
                                                    .setSetMembers(
                                                            SetMembers.newBuilder()
                                                                    .setGeneration(2)
                                                                    .addMembers(
                                                                            Member.newBuilder()
                                                                                    .setNodeId(
                                                                                            "evil")))));

            assertThat(answer.getFailed().getCode()).isEqualTo("InvalidInput");
            assertThat(running.client().callWhenReady(read(key("a", "1"))).hasRow()).isTrue();
        }
    }
}

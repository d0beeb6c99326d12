package io.parterre.server;

import static io.parterre.server.Commands.insert;
import static io.parterre.server.RangeClient.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.parterre.entity.EntityPage;
import io.parterre.proto.node.ArchivedRange;
import io.parterre.proto.node.CopyPart;
import io.parterre.proto.node.NodeServiceGrpc;
import io.parterre.proto.node.ReadChangesRequest;
import io.parterre.proto.node.RecordChangesRequest;
import io.parterre.proto.node.RecordedRange;
import io.parterre.server.record.ChangeRecord;
import io.parterre.server.record.ChangeRecordCodec;
import io.parterre.server.record.RowChange;
import io.parterre.server.store.RecordKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes recorded for an archive, asked of the node that has applied them. */
final class ChangeRecordsIT {
    private static final RecordChangesRequest KEEP =
            RecordChangesRequest.newBuilder()
                    .setArchiveId(ByteString.copyFromUtf8("archive"))
                    .setLeaseMillis(60_000)
                    .setBytesMax(1 << 20)
                    .build();

    @TempDir Path folder;

    private static RecordedRange keep(RunningServer server, RecordChangesRequest request) {
        List<RecordedRange> ranges =
                NodeServiceGrpc.newBlockingStub(server.channel())
                        .recordChanges(request)
                        .getRangesList();
        assertThat(ranges).hasSize(1);
        return ranges.get(0);
    }

    private static NavigableMap<Long, List<RowChange>> read(RunningServer server, long after) {
        NavigableMap<Long, List<RowChange>> changes = new TreeMap<>();
        Iterator<CopyPart> parts =
                NodeServiceGrpc.newBlockingStub(server.channel())
                        .readChanges(
                                ReadChangesRequest.newBuilder()
                                        .setRangeId(1)
                                        .setAfterIndex(after)
                                        .build());
        while (parts.hasNext()) {
            EntityPage.forEachRow(
                    parts.next().getRows().getRows().toByteArray(),
                    (key, value) -> {
                        ChangeRecord record = ChangeRecordCodec.decode(value);
                        assertThat(record.timeTicks()).isPositive();
                        changes.computeIfAbsent(
                                        RecordKey.index(key.unsafeBytes()),
                                        index -> new ArrayList<>())
                                .addAll(record.changes());
                    });
        }
        return changes;
    }

    private static List<String> keys(NavigableMap<Long, List<RowChange>> changes) {
        return changes.values().stream()
                .flatMap(List::stream)
                .filter(RowChange.Put.class::isInstance)
                .map(change -> ((RowChange.Put) change).key().toString())
                .toList();
    }

    private static List<String> expected(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> Commands.key("p", "" + i).toString())
                .toList();
    }

    private static void write(RunningServer server, int from, int to) throws Exception {
        for (int i = from; i < to; i++) {
            server.client().callWhenReady(command(insert(i, "p", "" + i, "x")));
        }
    }

    private static void assertRefused(Status.Code code, Runnable call) {
        assertThatExceptionOfType(StatusRuntimeException.class)
                .isThrownBy(call::run)
                .matches(refused -> refused.getStatus().getCode() == code);
    }

    @Test
    void recordsHoldEachWriteOnce_whenNodeIsKilledAndRestarted() throws Exception {
        long after;
        try (RunningServer server = RunningServer.start(RunningServer.config(folder))) {
            write(server, 1, 10);
            after = keep(server, KEEP).getRecordedAfter();
            assertThat(read(server, after)).isEmpty();
            write(server, 10, 40);
            assertThat(keys(read(server, after))).isEqualTo(expected(10, 40));
            server.kill();
        }
        try (RunningServer server = RunningServer.start(RunningServer.config(folder))) {
            write(server, 40, 60);
            assertThat(keys(read(server, after))).isEqualTo(expected(10, 60));
            RecordedRange told = keep(server, KEEP);
            assertThat(told.getRecordedAfter()).isEqualTo(after);
            assertThat(told.getCompleteTicks()).isPositive();
            assertThat(read(server, told.getAppliedIndex())).isEmpty();
        }
    }

    @Test
    void recordsEnd_whereArchiveHasThem() throws Exception {
        try (RunningServer server = RunningServer.start(RunningServer.config(folder))) {
            write(server, 1, 2);
            long after = keep(server, KEEP).getRecordedAfter();
            write(server, 2, 22);
            long half = new ArrayList<>(read(server, after).keySet()).get(9);
            RecordedRange told =
                    keep(
                            server,
                            KEEP.toBuilder()
                                    .addArchived(
                                            ArchivedRange.newBuilder().setRangeId(1).setIndex(half))
                                    .build());
            assertThat(told.getRecordedAfter()).isEqualTo(half);
            assertThat(keys(read(server, half))).isEqualTo(expected(12, 22));
            assertRefused(Status.Code.OUT_OF_RANGE, () -> read(server, half - 1));
            assertRefused(
                    Status.Code.FAILED_PRECONDITION,
                    () ->
                            keep(
                                    server,
                                    KEEP.toBuilder()
                                            .setArchiveId(ByteString.copyFromUtf8("other"))
                                            .build()));
        }
    }

    @Test
    void gapShows_whenRecordsTakeMoreThanAllowed() throws Exception {
        try (RunningServer server = RunningServer.start(RunningServer.config(folder))) {
            write(server, 1, 2);
            long after = keep(server, KEEP.toBuilder().setBytesMax(500).build()).getRecordedAfter();
            write(server, 2, 22);
            assertRefused(Status.Code.OUT_OF_RANGE, () -> read(server, after));
            TestCluster.await()
                    .until(
                            () ->
                                    server.meters
                                                    .get(
                                                            "partition_server_change_record_drops_total")
                                                    .functionCounter()
                                                    .count()
                                            == 1);
            long again = keep(server, KEEP).getRecordedAfter();
            assertThat(again).isGreaterThan(after);
            write(server, 22, 24);
            assertThat(keys(read(server, again))).isEqualTo(expected(22, 24));
            assertRefused(Status.Code.OUT_OF_RANGE, () -> read(server, after));
        }
    }
}

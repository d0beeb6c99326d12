package io.parterre.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.parterre.error.BusyReason;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.CreateTable;
import io.parterre.proto.range.EntityOperation;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import io.parterre.proto.range.ReadRow;
import io.parterre.proto.range.Scan;
import io.parterre.proto.range.WriteEntities;
import io.parterre.server.load.LoadMeter;
import io.parterre.server.load.LoadTotals;
import io.parterre.server.load.PartitionSample;
import io.parterre.server.query.ScanResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RequestLoadTest {
    private static final Scope TABLE = Scope.ofTable(new AccountId(7), new ObjectId(11));

    /** Draws whatever can be drawn. */
    private final LoadMeter meter = new LoadMeter(bound -> bound - 1, () -> -1);

    private static ByteString bytes(Key key) {
        return ByteString.copyFrom(key.unsafeBytes());
    }

    private static RangeRequest read(String partition) {
        return RangeRequest.newBuilder()
                .setReadRow(
                        ReadRow.newBuilder().setKey(bytes(KeyCodec.entity(TABLE, partition, "r"))))
                .build();
    }

    private static RangeRequest scan(Key start) {
        return RangeRequest.newBuilder().setScan(Scan.newBuilder().setStart(bytes(start))).build();
    }

    private static RangeRequest batch(String partition, int operations) {
        WriteEntities.Builder write = WriteEntities.newBuilder();
        for (int i = 0; i < operations; i++) {
            write.addOperations(
                    EntityOperation.newBuilder()
                            .setKey(bytes(KeyCodec.entity(TABLE, partition, "r" + i))));
        }
        return RangeRequest.newBuilder()
                .setCommand(Command.newBuilder().setWriteEntities(write))
                .build();
    }

    private static RangeResponse.Builder outcome() {
        return RangeResponse.newBuilder()
                .setOutcome(io.parterre.proto.range.Outcome.getDefaultInstance());
    }

    private static RangeResponse.Builder page(int examined, Optional<Key> resumeKey) {
        return RangeAnswers.page(new ScanResult(new byte[5_000], 10, examined, resumeKey));
    }

    private LoadTotals totals() {
        return meter.totals();
    }

    private List<Key> sampled() {
        return meter.partitions().after(0).stream()
                .map(PartitionSample::partition)
                .distinct()
                .toList();
    }

    @Test
    void readCountsAsOneOperationPlusRequestAndResponseBytes() {
        RangeRequest request = read("p");
        RequestLoad.count(meter, request, RangeAnswers.row(Optional.of(new byte[300])));
        RequestLoad.count(meter, request, RangeAnswers.row(Optional.empty()));
        assertThat(totals())
                .isEqualTo(new LoadTotals(2, 0, 2L * request.getSerializedSize() + 300, 0, 0));
        assertThat(sampled()).containsExactly(KeyCodec.partition(TABLE, "p"));
    }

    @Test
    void batchCountsAsItsOperations() {
        RangeRequest request = batch("p", 100);
        RequestLoad.count(meter, request, outcome());
        assertThat(totals()).isEqualTo(new LoadTotals(0, 100, request.getSerializedSize(), 0, 0));
        assertThat(sampled()).containsExactly(KeyCodec.partition(TABLE, "p"));
    }

    @Test
    void scanLoadGrowsWithExaminedRows() {
        RangeRequest request = scan(KeyCodec.entity(TABLE, "p", "r"));
        RequestLoad.count(meter, request, page(99, Optional.empty()));
        assertThat(totals().reads()).isEqualTo(1);
        RequestLoad.count(meter, request, page(1_000, Optional.empty()));
        assertThat(totals().reads()).isEqualTo(1 + 11);
        assertThat(totals().bytes()).isEqualTo(2L * request.getSerializedSize() + 10_000);
        assertThat(sampled()).containsExactly(KeyCodec.partition(TABLE, "p"));
    }

    @Test
    void tableScanSamplesPartitionOfItsResumeKey() {
        RangeRequest request = scan(KeyCodec.scope(TABLE));
        RequestLoad.count(meter, request, page(10, Optional.empty()));
        assertThat(sampled()).isEmpty();
        RequestLoad.count(meter, request, page(10, Optional.of(KeyCodec.entity(TABLE, "q", "r"))));
        assertThat(sampled()).containsExactly(KeyCodec.partition(TABLE, "q"));
    }

    @Test
    void nonEntityCommandCountsAsOneWrite() {
        RangeRequest request =
                RangeRequest.newBuilder()
                        .setCommand(
                                Command.newBuilder()
                                        .setCreateTable(CreateTable.getDefaultInstance()))
                        .build();
        RequestLoad.count(meter, request, outcome());
        assertThat(totals().writes()).isEqualTo(1);
        assertThat(sampled()).isEmpty();
    }

    @Test
    void rejectedRequestCountsOnlyAsRejection() {
        RequestLoad.count(
                meter, read("p"), RangeAnswers.busy(Duration.ofMillis(1), BusyReason.NODE_QUEUE));
        RequestLoad.count(
                meter,
                batch("p", 50),
                RangeAnswers.busy(Duration.ofMillis(1), BusyReason.NODE_QUEUE));
        assertThat(totals()).isEqualTo(new LoadTotals(0, 0, 0, 2, 0));
    }

    @Test
    void requestIsNotCounted_whenMisroutedInDoubtOrFollowerRead() {
        RequestLoad.count(meter, read("p"), RangeAnswers.notLeader(Optional.empty()));
        RequestLoad.count(meter, read("p"), RangeAnswers.staleRange(List.of()));
        RequestLoad.count(meter, batch("p", 2), RangeAnswers.inDoubt());
        RangeRequest anyMember = read("p").toBuilder().setFollowerRead(true).build();
        RequestLoad.count(meter, anyMember, RangeAnswers.row(Optional.empty()));
        RequestLoad.count(
                meter, anyMember, RangeAnswers.busy(Duration.ofMillis(1), BusyReason.NODE_QUEUE));
        assertThat(totals()).isEqualTo(new LoadTotals(0, 0, 0, 0, 0));
    }
}

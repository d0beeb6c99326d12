package io.parterre.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.parterre.error.BusyReason;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.EntityOperation;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.ReadRow;
import io.parterre.proto.range.Scan;
import io.parterre.proto.range.WriteEntities;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RangeCapsTest {
    private static final long MILLI = 1_000_000L;
    private static final RangeId R1 = new RangeId(1);
    private static final RangeId R2 = new RangeId(2);
    private static final Scope TABLE = Scope.ofTable(new AccountId(1), new ObjectId(7));

    private final AtomicLong nanos = new AtomicLong();
    private final List<Call> underWay = new ArrayList<>();
    private int number;

    private static RangeCapsConfig config(int max, int partitionOperations) {
        return new RangeCapsConfig(
                max, max, max, 1 << 20, Duration.ofSeconds(1), 25, partitionOperations);
    }

    private RangeCaps caps(RangeCapsConfig config) {
        return new RangeCaps(config, nanos::get);
    }

    private static Key key(String partition) {
        return KeyCodec.entity(TABLE, partition, "r");
    }

    private static ByteString bytes(Key key) {
        return ByteString.copyFrom(key.toBytes());
    }

    private static RangeRequest.Builder read(String partition) {
        return RangeRequest.newBuilder()
                .setReadRow(ReadRow.newBuilder().setKey(bytes(key(partition))));
    }

    private static RangeRequest.Builder scan(KeyRange interval) {
        return RangeRequest.newBuilder()
                .setScan(
                        Scan.newBuilder()
                                .setStart(bytes(interval.start()))
                                .setEndExclusive(bytes(interval.endExclusive())));
    }

    private static RangeRequest.Builder write(String partition, int operations) {
        WriteEntities.Builder write = WriteEntities.newBuilder();
        for (int i = 0; i < operations; i++) {
            write.addOperations(EntityOperation.newBuilder().setKey(bytes(key(partition))));
        }
        return RangeRequest.newBuilder().setCommand(Command.newBuilder().setWriteEntities(write));
    }

    private Optional<BusyReason> ask(RangeCaps caps, RangeId range, RangeRequest.Builder request) {
        Call call = new Call(request.setRequestId(++number).build(), Long.MAX_VALUE, (c, a) -> {});
        Optional<BusyReason> refusal = caps.admit(call, range);
        if (refusal.isEmpty()) {
            underWay.add(call);
        }
        return refusal;
    }

    private void answerAll() {
        underWay.forEach(call -> call.answer(RangeAnswers.noData()));
        underWay.clear();
    }

    /** Half of what is asked is for one partition, and nothing is answered. */
    private void overload(RangeCaps caps, int count) {
        for (int i = 0; i < count; i++) {
            ask(caps, R1, read("hot"));
            ask(caps, R1, read("p" + i));
        }
    }

    @Test
    void onlyHotPartitionIsRejected_whenRangeIsOverCap() {
        RangeCaps caps = caps(config(100, 0));
        overload(caps, 100);
        assertThat(ask(caps, R1, read("hot"))).contains(BusyReason.HOT_PARTITION);
        assertThat(ask(caps, R1, read("p1"))).isEmpty();
        assertThat(ask(caps, R1, write("hot", 1))).as("commands wait elsewhere").isEmpty();
        assertThat(ask(caps, R2, read("hot"))).as("another range").isEmpty();
        KeyRange table = KeyRange.ofPrefix(KeyCodec.scope(TABLE));
        assertThat(ask(caps, R1, scan(table))).as("it is not why").isEmpty();
        KeyRange hot = KeyRange.ofPrefix(KeyCodec.partitionPrefix(key("hot")));
        assertThat(ask(caps, R1, scan(hot))).contains(BusyReason.HOT_PARTITION);

        answerAll();
        assertThat(ask(caps, R1, read("hot"))).isEmpty();
    }

    @Test
    void scansAreRejectedBeforeReads_whenNoPartitionIsHot() {
        RangeCaps caps = caps(config(100, 0));
        KeyRange table = KeyRange.ofPrefix(KeyCodec.scope(TABLE));
        for (int i = 0; i < 400; i++) {
            assertThat(ask(caps, R1, scan(table)).isPresent()).isEqualTo(i >= 100);
            assertThat(ask(caps, R1, read("p" + i))).isEmpty();
        }
        assertThat(ask(caps, R1, read("p9999"))).contains(BusyReason.RANGE_CAP);
        assertThat(ask(caps, R1, scan(table))).contains(BusyReason.RANGE_CAP);
    }

    @Test
    void scanOfAnotherAccountGoesOn_whenOneAccountOverloadsRange() {
        RangeCaps caps = caps(config(100, 0));
        KeyRange greedy = KeyRange.ofPrefix(KeyCodec.scope(TABLE));
        KeyRange modest =
                KeyRange.ofPrefix(KeyCodec.scope(Scope.ofTable(new AccountId(2), new ObjectId(7))));
        for (int i = 0; i < 100; i++) {
            assertThat(ask(caps, R1, scan(greedy))).isEmpty();
        }
        assertThat(ask(caps, R1, scan(greedy))).contains(BusyReason.RANGE_CAP);
        for (int i = 0; i < 100; i++) {
            assertThat(ask(caps, R1, scan(modest))).as("scan %d", i).isEmpty();
        }
        assertThat(ask(caps, R1, scan(modest))).contains(BusyReason.RANGE_CAP);

        answerAll();
        assertThat(ask(caps, R1, scan(greedy))).isEmpty();
    }

    @Test
    void scanCountsForPartition_whenConfinedToOnePartition() {
        assertThat(AskedPartition.of(scan(KeyRange.ofKey(key("a"))).build()))
                .contains(KeyCodec.partitionPrefix(key("a")));
        KeyRange partition = KeyRange.ofPrefix(KeyCodec.partitionPrefix(key("a")));
        assertThat(AskedPartition.of(scan(partition).build()))
                .contains(KeyCodec.partitionPrefix(key("a")));
        KeyRange two = new KeyRange(key("a"), key("b"));
        assertThat(AskedPartition.of(scan(two).build())).isEmpty();
        assertThat(AskedPartition.of(scan(KeyRange.ofPrefix(KeyCodec.scope(TABLE))).build()))
                .isEmpty();
        assertThat(AskedPartition.of(write("a", 2).build()))
                .contains(KeyCodec.partitionPrefix(key("a")));
        assertThat(AskedPartition.of(RangeRequest.newBuilder().build())).isEmpty();
        ByteString odd = ByteString.copyFromUtf8("e, and no key that anybody would make");
        assertThat(
                        AskedPartition.of(
                                RangeRequest.newBuilder()
                                        .setReadRow(ReadRow.newBuilder().setKey(odd))
                                        .build()))
                .isEmpty();
    }

    @Test
    void writeIsRejected_whenRangeByteCapIsReached() {
        RangeCaps caps =
                caps(new RangeCapsConfig(1_000, 1_000, 1_000, 1, Duration.ofSeconds(1), 25, 0));
        assertThat(ask(caps, R1, write("a", 1))).isEmpty();
        assertThat(ask(caps, R1, write("a", 1))).contains(BusyReason.RANGE_CAP);
        answerAll();
        assertThat(ask(caps, R1, write("a", 1))).isEmpty();
    }

    @Test
    void hotPartitionIsRejected_whenRequestsWaitTooLong() {
        RangeCaps caps = caps(config(800, 0));
        overload(caps, 100);
        nanos.addAndGet(1_100 * MILLI);
        List<Call> half = List.copyOf(underWay.subList(0, 60));
        half.forEach(call -> call.answer(RangeAnswers.noData()));
        underWay.removeAll(half);
        overload(caps, 60);
        assertThat(ask(caps, R1, read("hot"))).contains(BusyReason.HOT_PARTITION);
        assertThat(ask(caps, R1, read("p1"))).isEmpty();
    }

    @Test
    void partitionIsThrottled_whenOperationRateIsExceeded() {
        RangeCaps caps = caps(config(100_000, 1_000));
        for (int i = 0; i < 2_000; i++) {
            ask(caps, R1, read("hot"));
        }
        assertThat(ask(caps, R1, read("hot"))).contains(BusyReason.HOT_PARTITION);
        assertThat(ask(caps, R1, write("hot", 100))).contains(BusyReason.HOT_PARTITION);
        assertThat(ask(caps, R1, read("cool"))).isEmpty();
        assertThat(underWay.size()).as("a burst of one second").isBetween(1_000, 1_200);
        nanos.addAndGet(100 * MILLI);
        assertThat(ask(caps, R1, write("hot", 100))).isEmpty();
        assertThat(ask(caps, R1, read("hot"))).contains(BusyReason.HOT_PARTITION);
    }

    @Test
    void callUsesNoCapacity_whenAnsweredBeforeAdmission() {
        RangeCaps caps = caps(config(1, 0));
        Call expired = new Call(read("a").build(), Long.MAX_VALUE, (c, a) -> {});
        expired.answer(RangeAnswers.noData());
        assertThat(caps.admit(expired, R1)).isEmpty();
        for (int i = 0; i < 4; i++) {
            assertThat(ask(caps, R1, read("p" + i))).isEmpty();
        }
        assertThat(ask(caps, R1, read("p"))).contains(BusyReason.RANGE_CAP);
    }

    @Test
    void rangeCapsAreDropped_whenRangeIsGone() {
        RangeCaps caps = caps(config(1, 0));
        ask(caps, R1, read("a"));
        ask(caps, R2, read("a"));
        caps.retain(R2::equals);
        assertThat(caps.size()).isEqualTo(1);
        answerAll();
    }
}

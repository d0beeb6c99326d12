package io.parterre.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.parterre.crash.CrashHook;
import io.parterre.entity.EdmValue;
import io.parterre.entity.EntityCodec;
import io.parterre.entity.Property;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.command.CommandId;
import io.parterre.server.command.EntityOperation;
import io.parterre.server.command.LogEntry;
import io.parterre.server.command.Member;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.command.SubmittedCommand;
import io.parterre.server.copy.RangeRecords;
import io.parterre.server.quarantine.ApplyMarks;
import io.parterre.server.record.ChangeRecordCodec;
import io.parterre.server.record.RowChange;
import io.parterre.server.replica.AppliedRows;
import io.parterre.server.replica.ApplyRoomTest;
import io.parterre.server.replica.NoNeighbours;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.rows.StoredReplica;
import io.parterre.server.store.RecordSpan;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreCursor;
import io.parterre.server.store.TestStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What records of changes say is what has become of the rows. */
final class ChangeRecorderIT {
    private static final RangeId RANGE = new RangeId(1);
    private static final RangeId CHILD = new RangeId(2);
    private static final NodeId SELF = new NodeId("a");
    private static final Scope TABLE = Scope.ofTable(new AccountId(7), new ObjectId(11));
    private static final ByteString ARCHIVE = ByteString.copyFromUtf8("a");
    private static final int MIB = 1 << 20;

    @TempDir Path folder;

    private final TestStore storage = new TestStore();
    private final Random random = new Random(7);
    private final List<byte[]> records = new ArrayList<>();
    private ServerStore store;
    private int sequence;

    @BeforeEach
    void open() throws IOException {
        store = storage.open(folder.resolve("rows"));
        StoredReplica.found(store, range());
        assertThat(store.records().keep(ARCHIVE, Long.MAX_VALUE, 1L << 40, 0)).isTrue();
    }

    @AfterEach
    void stop() {
        store.abandon();
        storage.close();
    }

    private static HostedRange range() {
        return new HostedRange(
                new RangeDescriptor(RANGE, KeyRange.ALL, Generation.FIRST, List.of(SELF)),
                List.of(new Member(SELF, "a:1", "a:2")));
    }

    private AppliedRows rows() {
        return new AppliedRows(
                range(),
                store,
                SELF,
                new NoNeighbours(),
                ApplyRoomTest.ample(),
                new ApplyMarks(Path.of("none")),
                CrashHook.none());
    }

    private static Key key(int row) {
        return KeyCodec.entity(TABLE, "p" + row / 10, String.format("%03d", row));
    }

    private SubmittedCommand command(ReplicaCommand body) {
        return new SubmittedCommand(new CommandId(5, ++sequence), 0, body);
    }

    private SubmittedCommand write(EntityOperation.Kind kind, int row, int bytes) {
        byte[] block =
                kind == EntityOperation.Kind.DELETE
                        ? new byte[0]
                        : EntityCodec.encodeBlock(
                                List.of(
                                        new Property(
                                                "P" + random.nextInt(3),
                                                new EdmValue.BinaryValue(new byte[bytes]))));
        return command(
                new ReplicaCommand.WriteEntities(
                        List.of(new EntityOperation(kind, key(row), block, OptionalLong.empty())),
                        MIB,
                        252));
    }

    private SubmittedCommand any() {
        EntityOperation.Kind[] kinds = EntityOperation.Kind.values();
        int what = random.nextInt(200);
        return what == 0
                ? command(new ReplicaCommand.FenceScope(KeyCodec.scope(TABLE)))
                : what < 20
                        ? command(new ReplicaCommand.ForgetFences(List.of(KeyCodec.scope(TABLE))))
                        : write(
                                kinds[random.nextInt(kinds.length)],
                                random.nextInt(60),
                                random.nextInt(200));
    }

    private NavigableMap<Key, List<Byte>> replayed(long after) throws IOException {
        NavigableMap<Key, List<Byte>> replayed = new TreeMap<>();
        try (RangeRecords found = RangeRecords.open(store, RANGE, after).orElseThrow()) {
            found.forEachRecord(
                    (key, keyLength, value, valueLength) -> {
                        byte[] record = Arrays.copyOf(value, valueLength);
                        records.add(record);
                        for (RowChange change : ChangeRecordCodec.decode(record).changes()) {
                            replay(change, replayed);
                        }
                    });
        }
        return replayed;
    }

    private static void replay(RowChange change, NavigableMap<Key, List<Byte>> rows) {
        if (change instanceof RowChange.Put put) {
            rows.put(put.key(), boxed(put.value(), put.value().length));
        } else if (change instanceof RowChange.Delete delete) {
            rows.remove(delete.key());
        } else if (change instanceof RowChange.DeleteRange emptied) {
            rows.subMap(emptied.keys().start(), emptied.keys().endExclusive()).clear();
        }
    }

    private static List<Byte> boxed(byte[] bytes, int length) {
        List<Byte> boxed = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            boxed.add(bytes[i]);
        }
        return boxed;
    }

    private NavigableMap<Key, List<Byte>> stored() {
        NavigableMap<Key, List<Byte>> stored = new TreeMap<>();
        try (StoreCursor rows = store.scan(new KeyRange(Key.copyOf(new byte[] {1}), Key.LAST))) {
            for (; rows.valid(); rows.next()) {
                stored.put(
                        Key.copyOf(Arrays.copyOf(rows.key(), rows.keyLength())),
                        boxed(rows.value(), rows.valueLength()));
            }
        }
        return stored;
    }

    @Test
    void replayedRecordsAreTheRows_whateverCommandsDo() throws IOException {
        long index = AppliedPosition.FOUNDED.index();
        int compared = 0;
        try (AppliedRows rows = rows()) {
            for (int entry = 0; entry < 400; entry++) {
                List<SubmittedCommand> commands = new ArrayList<>();
                for (int i = random.nextInt(5); i >= 0; i--) {
                    commands.add(any());
                }
                index++;
                rows.apply(new LogEntry(entry, commands), new AppliedPosition(1, index));
                if (entry % 50 == 0) {
                    rows.pass(new AppliedPosition(1, ++index));
                }
                if (entry % 20 == 0) {
                    NavigableMap<Key, List<Byte>> stored = stored();
                    assertThat(replayed(AppliedPosition.FOUNDED.index())).isEqualTo(stored);
                    compared += stored.size();
                }
            }
        }
        assertThat(compared).isGreaterThan(100);
    }

    @Test
    void recordsStaySmall_whenEntryMakesManyLargeRows() throws IOException {
        long index = AppliedPosition.FOUNDED.index();
        try (AppliedRows rows = rows()) {
            List<SubmittedCommand> commands = new ArrayList<>();
            for (int row = 0; row < 40; row++) {
                commands.add(write(EntityOperation.Kind.INSERT, row, MIB / 2));
            }
            rows.apply(new LogEntry(1, commands), new AppliedPosition(1, ++index));
            List<EntityOperation> merges = new ArrayList<>();
            for (int row = 0; row < 10; row++) {
                merges.add(
                        new EntityOperation(
                                EntityOperation.Kind.MERGE,
                                key(row),
                                EntityCodec.encodeBlock(
                                        List.of(new Property("Q", new EdmValue.Int32Value(1)))),
                                OptionalLong.empty()));
            }
            rows.apply(
                    new LogEntry(
                            2,
                            List.of(command(new ReplicaCommand.WriteEntities(merges, MIB, 252)))),
                    new AppliedPosition(1, ++index));
        }
        assertThat(replayed(AppliedPosition.FOUNDED.index())).hasSize(40).isEqualTo(stored());
        assertThat(records).hasSizeGreaterThan(40).allMatch(each -> each.length < MIB);
    }

    @Test
    void childIsRecordedFromItsBeginning_whenParentIs() throws IOException {
        long index = AppliedPosition.FOUNDED.index();
        try (AppliedRows rows = rows()) {
            rows.apply(
                    new LogEntry(1, List.of(write(EntityOperation.Kind.INSERT, 1, 1))),
                    new AppliedPosition(1, ++index));
            rows.apply(
                    new LogEntry(
                            2,
                            List.of(
                                    command(
                                            new ReplicaCommand.Split(
                                                    Generation.FIRST.next(),
                                                    List.of(
                                                            new ReplicaCommand.SplitPoint(
                                                                    KeyCodec.partition(TABLE, "p3"),
                                                                    CHILD)))))),
                    new AppliedPosition(1, ++index));
        }
        assertThat(store.records().spans(CHILD))
                .containsExactly(new RecordSpan(index, OptionalLong.empty()));
        replayed(index - 1);
        List<RowChange> changes =
                ChangeRecordCodec.decode(records.get(records.size() - 1)).changes();
        assertThat(changes).anyMatch(RowChange.Child.class::isInstance);
        assertThat(changes).anyMatch(RowChange.Bounds.class::isInstance);
    }
}

package io.parterre.server.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.google.protobuf.ByteString;
import io.parterre.crash.CrashHook;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.CreateTable;
import io.parterre.proto.range.Freeze;
import io.parterre.proto.range.Split;
import io.parterre.proto.range.Thaw;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.command.LogEntryCodec;
import io.parterre.server.command.Member;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.quarantine.ApplyMarks;
import io.parterre.server.replica.AppliedRows;
import io.parterre.server.replica.ApplyRoomTest;
import io.parterre.server.replica.NoNeighbours;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.rows.StoredReplica;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.TestStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a survivor's log is worth where its range was frozen for a while. */
final class LogReplayIT {
    private static final RangeId LOST = new RangeId(2);
    private static final RangeId SUCCESSOR = new RangeId(9);

    @TempDir Path folder;

    private final TestStore storage = new TestStore();
    private ServerStore store;
    private int sequence;

    private static HostedRange range(RangeId rangeId, long generation) {
        return new HostedRange(
                new RangeDescriptor(
                        rangeId,
                        KeyRange.ALL,
                        new Generation(generation),
                        List.of(new NodeId("a"))),
                List.of(new Member(new NodeId("a"), "a:1", "a:2")));
    }

    @BeforeEach
    void open() throws IOException {
        store = storage.open(folder);
    }

    @AfterEach
    void stop() {
        store.abandon();
        storage.close();
    }

    private AppliedRows rows(HostedRange range) {
        return rows(range, CrashHook.none());
    }

    private AppliedRows rows(HostedRange range, CrashHook<CrashPoint> crash) {
        return new AppliedRows(
                range,
                store,
                new NodeId("a"),
                new NoNeighbours(),
                ApplyRoomTest.ample(),
                new ApplyMarks(Path.of("none")),
                crash);
    }

    private static Key row(String table) {
        return KeyCodec.tableDirectoryRow(new AccountId(7), table);
    }

    private static Command.Builder create(String table) {
        return Command.newBuilder()
                .setCreateTable(
                        CreateTable.newBuilder()
                                .setKey(ByteString.copyFrom(row(table).toBytes()))
                                .setName(table)
                                .setTableId(11));
    }

    private static Command.Builder freeze(long generation) {
        return Command.newBuilder()
                .setFreeze(
                        Freeze.newBuilder()
                                .setGeneration(generation)
                                .setLeftRangeId(1)
                                .setLeftGeneration(4));
    }

    private static Command.Builder thaw(long generation) {
        return Command.newBuilder().setThaw(Thaw.newBuilder().setGeneration(generation));
    }

    private LogEntryProto entry(long index, Command.Builder... commands) {
        List<Command> named = new ArrayList<>();
        for (Command.Builder command : commands) {
            named.add(command.setSenderId(1).setSequence(++sequence).build());
        }
        // As logs are after an upgrade: of both forms.
        byte[] data =
                index % 2 == 0
                        ? LogEntryCodec.encode(index, named)
                        : LogEntryCodec.encodeWhitened(index, named, sequence);
        return LogEntryProto.newBuilder()
                .setTerm(1)
                .setIndex(AppliedPosition.FOUNDED.index() + index)
                .setStateMachineLogEntry(
                        StateMachineLogEntryProto.newBuilder()
                                .setLogData(
                                        org.apache.ratis.thirdparty.com.google.protobuf.ByteString
                                                .copyFrom(data)))
                .build();
    }

    private boolean isThere(String table) {
        return store.get(row(table).unsafeBytes()).isPresent();
    }

    @Test
    void logReplayKeepsAckedWrite_whenTakenAfterThaw() throws IOException {
        StoredReplica.found(store, range(LOST, 1));
        try (AppliedRows rows = rows(range(LOST, 1))) {
            LogReplay flushed = new LogReplay(rows, Set.of());
            flushed.next(entry(1, freeze(2)));
        }
        HostedRange frozen = StoredReplica.descriptor(store, LOST).orElseThrow();
        assertThat(frozen.descriptor().isFrozen()).isTrue();
        try (AppliedRows rows = rows(frozen)) {
            LogReplay replay = new LogReplay(rows, Set.of());
            replay.next(entry(2, thaw(3)));
            replay.next(entry(3, create("acknowledged")));
            assertThat(rows.range().descriptor().isFrozen()).isFalse();
        }
        assertThat(isThere("acknowledged")).isTrue();
    }

    @Test
    void successorLacksRejectedWritesAndThaws_whenRangeWasFrozen() throws IOException {
        StoredReplica.found(store, range(LOST, 1));
        try (AppliedRows rows = rows(range(LOST, 1))) {
            LogReplay replay = new LogReplay(rows, Set.of());
            replay.next(entry(1, create("before")));
            replay.next(entry(2, freeze(2)));
            replay.next(entry(3, create("refused")));
            StoredReplica.succeed(store, LOST, range(SUCCESSOR, 5), rows.applied());
        }
        assertThat(isThere("before")).isTrue();
        assertThat(isThere("refused")).isFalse();
        HostedRange successorReplica = StoredReplica.descriptor(store, SUCCESSOR).orElseThrow();
        assertThat(successorReplica.descriptor().isFrozen()).isFalse();
        try (AppliedRows rows = rows(successorReplica)) {
            rows.apply(
                    LogEntryCodec.decode(
                            ByteBuffer.wrap(
                                    LogEntryCodec.encode(
                                            9,
                                            List.of(
                                                    create("after")
                                                            .setSenderId(1)
                                                            .setSequence(++sequence)
                                                            .build())))),
                    new AppliedPosition(2, AppliedPosition.FOUNDED.index() + 4));
        }
        assertThat(isThere("after")).isTrue();
    }

    private static Command.Builder split() {
        Key splitPoint = KeyCodec.scope(Scope.ofTable(new AccountId(7), new ObjectId(11)));
        return Command.newBuilder()
                .setSplit(
                        Split.newBuilder()
                                .setGeneration(2)
                                .setSplitPoint(ByteString.copyFrom(splitPoint.toBytes()))
                                .setChildRangeId(5));
    }

    /** Commands are counted as they stand in the entry, those that are skipped too. */
    @Test
    void logReplayGoesOnInTheMidstOfEntry_whenCutShortBetweenSlices() throws IOException {
        StoredReplica.found(store, range(LOST, 1));
        LogEntryProto entry = entry(1, create("before"), split(), create("after"));
        try (AppliedRows rows =
                rows(
                        range(LOST, 1),
                        point -> {
                            throw new IllegalStateException("crashed");
                        })) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> new LogReplay(rows, Set.of()).next(entry));
        }
        assertThat(isThere("before")).isTrue();
        assertThat(isThere("after")).isFalse();
        try (AppliedRows rows = rows(range(LOST, 1))) {
            assertThat(rows.applied()).isEqualTo(AppliedPosition.FOUNDED.begun(1));
            new LogReplay(rows, Set.of()).next(entry);
            assertThat(rows.range().descriptor().bounds()).isEqualTo(KeyRange.ALL);
        }
        assertThat(isThere("after")).isTrue();
    }
}

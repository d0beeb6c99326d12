package io.parterre.server.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.parterre.crash.CrashHook;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.SetMembers;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.command.CommandCodec;
import io.parterre.server.command.LogEntry;
import io.parterre.server.command.Member;
import io.parterre.server.command.MemberCodec;
import io.parterre.server.copy.ReplicaCopy;
import io.parterre.server.copy.StagedCopy;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.lifecycle.ReplicaPhase;
import io.parterre.server.quarantine.ApplyMarks;
import io.parterre.server.replica.AppliedRows;
import io.parterre.server.replica.ApplyRoomTest;
import io.parterre.server.replica.Installation;
import io.parterre.server.replica.NoNeighbours;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.rows.FreeKeys;
import io.parterre.server.rows.StoredReplica;
import io.parterre.server.store.LocalKey;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.SstFile;
import io.parterre.server.store.StoreBatch;
import io.parterre.server.store.StoreCursor;
import io.parterre.server.store.TestStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Copies taken into a store that holds two replicas, with crashes, and without Raft. */
final class InstallationIT {
    private static final HostedRange LEFT = range(1, new KeyRange(Key.FIRST, key(50)));
    private static final HostedRange RIGHT = range(2, new KeyRange(key(50), Key.LAST));
    private static final KeyRange HELD = LEFT.descriptor().bounds();
    private static final List<KeyRange> OTHERS = List.of(RIGHT.descriptor().bounds());
    private static final AppliedPosition COPIED = new AppliedPosition(3, 900);

    @TempDir Path folder;

    private final TestStore storage = new TestStore();
    private ServerStore store;
    private Path staging;

    private static Key key(int... bytes) {
        byte[] key = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            key[i] = (byte) bytes[i];
        }
        return Key.wrap(key);
    }

    private static HostedRange range(long id, KeyRange bounds) {
        return new HostedRange(
                new RangeDescriptor(
                        new RangeId(id), bounds, Generation.FIRST, List.of(new NodeId("a"))),
                List.of(new Member(new NodeId("a"), "a:1", "a:2")));
    }

    private static byte[] fence(long rangeId, int scope) {
        return LocalKey.of(new RangeId(rangeId), (byte) 'F', new byte[] {(byte) scope});
    }

    @BeforeEach
    void open() throws IOException {
        staging = folder.resolve("installs").resolve("1");
        store = storage.open(folder.resolve("rows"));
    }

    @AfterEach
    void stop() {
        store.abandon();
        storage.close();
    }

    /** Two replicas with rows, some of them on disk, some in memory only. */
    private void fill() {
        StoredReplica.keep(store, LEFT, ReplicaPhase.FOUNDED);
        StoredReplica.keep(store, RIGHT, ReplicaPhase.FOUNDED);
        put(key(10), "old");
        put(key(49), "old");
        put(key(50), "right");
        put(Key.wrap(fence(1, 7)), "old");
        put(Key.wrap(fence(2, 7)), "right");
        store.flush();
        put(key(11), "old, in memory");
        put(key(51), "right, in memory");
    }

    private void put(Key key, String value) {
        try (StoreBatch batch = new StoreBatch()) {
            batch.put(key.unsafeBytes(), value.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            store.write(batch);
        }
    }

    private StagedCopy staged() throws IOException {
        StagedCopy copy = new StagedCopy(store, staging, new RangeId(1));
        copy.begin(LEFT, COPIED);
        copy.row(fence(1, 8), new byte[] {1});
        copy.row(key(10).unsafeBytes(), new byte[] {1});
        copy.row(key(20).unsafeBytes(), new byte[] {2});
        return copy;
    }

    private List<String> keys() {
        List<String> keys = new ArrayList<>();
        try (StoreCursor rows = store.scan(KeyRange.ALL)) {
            for (; rows.valid(); rows.next()) {
                byte[] key = java.util.Arrays.copyOf(rows.key(), rows.keyLength());
                keys.add(
                        LocalKey.isLocal(key)
                                ? key[8]
                                        + ""
                                        + (char) LocalKey.kind(key)
                                        + (LocalKey.suffix(key).length == 0
                                                ? ""
                                                : LocalKey.suffix(key)[0])
                                : "" + key[0]);
            }
        }
        return keys;
    }

    private void assertNew() {
        assertThat(keys())
                .containsExactly("1A", "1D", "1F8", "1P", "2D", "2F7", "10", "20", "50", "51");
        assertThat(StoredReplica.phase(store, new RangeId(1))).isEqualTo(ReplicaPhase.JOINED);
        assertThat(StoredReplica.descriptor(store, new RangeId(1))).contains(LEFT);
        assertThat(store.get(StoredReplica.appliedKey(new RangeId(1)))).contains(COPIED.encode());
    }

    private void install() throws IOException {
        try (StagedCopy copy = staged()) {
            copy.complete();
            Installation.run(
                    store, copy.range(), HELD, List.of(), OTHERS, copy.folder(), CrashHook.none());
        }
    }

    @Test
    void snapshotInstallReplacesOnlyOwnReplicaRowsDurably() throws Exception {
        fill();
        install();
        assertNew();
        assertThat(Files.exists(staging)).isFalse();
        // And is durable.
        store.abandon();
        open();
        assertThat(keys())
                .containsExactly("1A", "1D", "1F8", "1P", "2D", "2F7", "10", "20", "50", "51");
    }

    @ParameterizedTest
    @EnumSource(
            value = CrashPoint.class,
            names = {"COPY_STAGED", "COPY_MARKED", "COPY_EMPTIED", "COPY_INGESTED"})
    void snapshotInstallIsAtomic_whenNodeCrashes(CrashPoint crash) throws Exception {
        fill();
        try (StagedCopy copy = staged()) {
            copy.complete();
            assertThatIllegalStateException()
                    .isThrownBy(
                            () ->
                                    Installation.run(
                                            store,
                                            copy.range(),
                                            HELD,
                                            List.of(),
                                            OTHERS,
                                            copy.folder(),
                                            step -> {
                                                if (step == crash) {
                                                    throw new IllegalStateException("crash");
                                                }
                                            }));
        }
        store.abandon();
        open();

        ReplicaPhase phase = StoredReplica.phase(store, new RangeId(1));
        switch (crash) {
            case COPY_STAGED -> {
                assertThat(phase).isEqualTo(ReplicaPhase.FOUNDED);
                assertThat(keys()).containsExactly("1D", "1F7", "2D", "2F7", "10", "49", "50");
                install();
            }
            case COPY_MARKED, COPY_EMPTIED -> {
                assertThat(phase).isEqualTo(ReplicaPhase.INSTALLING);
                Installation.resume(store, LEFT, OTHERS, staging, CrashHook.none());
            }
            case COPY_INGESTED -> assertThat(phase).isEqualTo(ReplicaPhase.JOINED);
        }
        // Memory that had not come to disk before the first flush of the install is gone.
        assertThat(keys()).contains("1A", "1D", "1F8", "1P", "10", "20", "50");
        assertThat(keys()).doesNotContain("1F7", "11", "49");
    }

    @Test
    void snapshotInstallEmptiesReplica_whenSourceRangeIsEmpty() throws Exception {
        fill();
        try (StagedCopy copy = new StagedCopy(store, staging, new RangeId(1))) {
            copy.begin(LEFT, COPIED);
            copy.complete();
            Installation.run(
                    store, copy.range(), HELD, List.of(), OTHERS, copy.folder(), CrashHook.none());
        }
        assertThat(keys()).containsExactly("1A", "1D", "1P", "2D", "2F7", "50", "51");
    }

    @Test
    void snapshotRowIsRejected_whenForeignToRangeOrOutOfOrder() throws Exception {
        try (StagedCopy copy = new StagedCopy(store, staging, new RangeId(1))) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> copy.row(key(10).unsafeBytes(), new byte[0]));
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> copy.begin(RIGHT, COPIED));
            copy.begin(LEFT, COPIED);
            for (byte[] foreign :
                    List.of(
                            key(50).unsafeBytes(),
                            fence(2, 7),
                            StoredReplica.appliedKey(new RangeId(1)),
                            StoredReplica.phaseKey(new RangeId(1)),
                            new byte[] {0, 1})) {
                assertThatExceptionOfType(IOException.class)
                        .isThrownBy(() -> copy.row(foreign, new byte[0]));
            }
            copy.row(key(10).unsafeBytes(), new byte[0]);
            assertThatExceptionOfType(IOException.class)
                    .as("own rows come first")
                    .isThrownBy(() -> copy.row(fence(1, 1), new byte[0]));
        }
    }

    @Test
    void snapshotInstallResumeFails_whenStagedFilesAreMissing() {
        fill();
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(
                        () -> Installation.resume(store, LEFT, OTHERS, staging, CrashHook.none()));
    }

    /** Only files on the lower levels go at once, as those that were taken in. */
    private void ingest(int... keys) {
        Path file = folder.resolve("ingested.sst");
        try (SstFile rows = store.files().create(file)) {
            for (int each : keys) {
                rows.put(key(each).unsafeBytes(), new byte[] {1});
            }
            rows.finish();
        }
        store.files().ingest(List.of(file));
    }

    @Test
    void openSnapshotReturnsAllRows_whenReplicaIsDeletedMeanwhile() throws Exception {
        StoredReplica.keep(store, LEFT, ReplicaPhase.FOUNDED);
        put(Key.wrap(StoredReplica.appliedKey(new RangeId(1))), COPIED);
        store.flush();
        ingest(10, 20, 30);

        List<Integer> sent = new ArrayList<>();
        try (ReplicaCopy copy = ReplicaCopy.open(store, new RangeId(1), position -> {})) {
            List<KeyRange> emptied = FreeKeys.of(LEFT.descriptor().bounds(), OTHERS);
            store.files().drop(emptied);
            try (StoreBatch batch = new StoreBatch()) {
                StoredReplica.deleteAll(batch, new RangeId(1), emptied);
                store.write(batch);
            }
            store.flush();
            copy.forEachRow((key, length, value, valueLength) -> sent.add((int) key[0]));
        }
        assertThat(sent).containsExactly(10, 20, 30);
        assertThat(keys()).isEmpty();
    }

    private void put(Key key, AppliedPosition position) {
        try (StoreBatch batch = new StoreBatch()) {
            batch.put(key.unsafeBytes(), position.encode());
            store.write(batch);
        }
    }

    private AppliedRows applied() {
        StoredReplica.keep(store, LEFT, ReplicaPhase.FOUNDED);
        put(Key.wrap(StoredReplica.appliedKey(new RangeId(1))), new AppliedPosition(2, 100));
        store.flush();
        return new AppliedRows(
                LEFT,
                store,
                new NodeId("a"),
                new NoNeighbours(),
                ApplyRoomTest.ample(),
                new ApplyMarks(Path.of("none")),
                CrashHook.none());
    }

    @Test
    void durableIndexNeverDecreases_whileSnapshotIsInstalled() throws Exception {
        AppliedRows rows = applied();
        List<Long> durable = new ArrayList<>();
        List<Boolean> whole = new ArrayList<>();
        try (rows;
                StagedCopy copy = staged()) {
            copy.complete();
            rows.replace(
                    copy,
                    List.of(),
                    () -> OTHERS,
                    step -> {
                        rows.refreshDurable();
                        durable.add(rows.durable().index());
                        whole.add(rows.wholeCopy().isPresent());
                    });
            assertThat(durable).containsExactly(100L, 100L, 100L, COPIED.index());
            assertThat(whole).containsExactly(false, false, false, false);
            assertThat(rows.durable()).isEqualTo(COPIED);
            assertThat(rows.wholeCopy()).isPresent();
        }
    }

    @Test
    void removingReplicaRejectsSnapshotAndAppliesNothing() throws Exception {
        try (AppliedRows rows = applied();
                StagedCopy copy = staged()) {
            copy.complete();
            assertThatExceptionOfType(IOException.class)
                    .as("it is a member at that one")
                    .isThrownBy(() -> rows.giveUp(Generation.FIRST));
            assertThat(rows.wholeCopy()).isPresent();

            assertThat(rows.giveUp(Generation.FIRST.next())).isTrue();
            assertThat(rows.wholeCopy()).isEmpty();
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(
                            () -> rows.replace(copy, List.of(), () -> OTHERS, CrashHook.none()));

            assertThat(StoredReplica.phase(store, new RangeId(1))).isEqualTo(ReplicaPhase.REMOVING);

            // Raft may go on for a while when the rows have been deleted.
            try (StoreBatch batch = new StoreBatch()) {
                StoredReplica.deleteAll(batch, new RangeId(1), List.of(LEFT.descriptor().bounds()));
                store.write(batch);
            }
            Command command =
                    Command.newBuilder()
                            .setSenderId(1)
                            .setSequence(1)
                            .setSettledBelow(1)
                            .setSetMembers(
                                    SetMembers.newBuilder()
                                            .setGeneration(2)
                                            .addMembers(MemberCodec.toProto(LEFT.members().get(0))))
                            .build();
            LogEntry entry = new LogEntry(5, List.of(CommandCodec.fromProto(command)));
            assertThat(rows.apply(entry, new AppliedPosition(2, 101)).changes()).isEmpty();
            rows.pass(new AppliedPosition(2, 102));
            assertThat(keys()).isEmpty();
        }
    }
}

package io.parterre.server.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

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
import io.parterre.server.apply.AppliedSlice;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.apply.Mutation;
import io.parterre.server.apply.Outcome;
import io.parterre.server.apply.RangeState;
import io.parterre.server.apply.SliceContext;
import io.parterre.server.apply.SliceLimits;
import io.parterre.server.apply.SliceRoom;
import io.parterre.server.command.CommandId;
import io.parterre.server.command.EntityOperation;
import io.parterre.server.command.LogEntry;
import io.parterre.server.command.Member;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.command.SubmittedCommand;
import io.parterre.server.copy.ReplicaCopy;
import io.parterre.server.copy.StagedCopy;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.lifecycle.ReplicaPhase;
import io.parterre.server.quarantine.ApplyMarks;
import io.parterre.server.replica.AppliedEntry;
import io.parterre.server.replica.AppliedRows;
import io.parterre.server.replica.ApplyRoom;
import io.parterre.server.replica.ApplyRoomTest;
import io.parterre.server.replica.NoNeighbours;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.rows.ReplicaRows;
import io.parterre.server.rows.StoredDigest;
import io.parterre.server.rows.StoredReplica;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.TestStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Entries that make a thousand times what they are, over a real store. */
@Timeout(240)
final class SlicedApplyIT {
    private static final RangeId RANGE = new RangeId(1);
    private static final NodeId SELF = new NodeId("a");
    private static final Scope TABLE = Scope.ofTable(new AccountId(7), new ObjectId(11));
    private static final int MIB = 1 << 20;
    private static final long FIRST = AppliedPosition.FOUNDED.index() + 1;

    @TempDir Path folder;

    private final TestStore storage = new TestStore();
    private final Map<String, ServerStore> stores = new HashMap<>();
    private int sequence;

    private static HostedRange range() {
        return new HostedRange(
                new RangeDescriptor(RANGE, KeyRange.ALL, Generation.FIRST, List.of(SELF)),
                List.of(new Member(SELF, "a:1", "a:2")));
    }

    private ServerStore store(String name) {
        return stores.computeIfAbsent(
                name,
                key -> {
                    try {
                        return storage.open(folder.resolve(key));
                    } catch (IOException failure) {
                        throw new java.io.UncheckedIOException(failure);
                    }
                });
    }

    @AfterEach
    void stop() {
        stores.values().forEach(ServerStore::abandon);
        storage.close();
    }

    private AppliedRows rows(String name, CrashHook<CrashPoint> crash) {
        return new AppliedRows(
                range(),
                store(name),
                SELF,
                new NoNeighbours(),
                ApplyRoomTest.ample(),
                new ApplyMarks(Path.of("none")),
                crash);
    }

    private static Key key(int row) {
        return KeyCodec.entity(TABLE, "p", String.format("%03d", row));
    }

    private static EntityOperation operation(EntityOperation.Kind kind, int row, Property set) {
        return new EntityOperation(
                kind, key(row), EntityCodec.encodeBlock(List.of(set)), OptionalLong.empty());
    }

    private static Property large(int bytes) {
        return new Property("Large", new EdmValue.BinaryValue(new byte[bytes]));
    }

    private static EntityOperation merge(int row, int value) {
        return operation(
                EntityOperation.Kind.MERGE,
                row,
                new Property("Flag", new EdmValue.Int32Value(value)));
    }

    private SubmittedCommand command(List<EntityOperation> operations) {
        return new SubmittedCommand(
                new CommandId(5, ++sequence),
                0,
                new ReplicaCommand.WriteEntities(operations, MIB, 252));
    }

    /** A hundred entities of nearly a MiB, in a founded range, each by an entry of its own. */
    private void fill(String name, int bytes) {
        StoredReplica.found(store(name), range());
        try (AppliedRows rows = rows(name, CrashHook.none())) {
            for (int row = 0; row < 100; row++) {
                LogEntry entry =
                        new LogEntry(
                                row,
                                List.of(
                                        new SubmittedCommand(
                                                new CommandId(4, row + 1),
                                                row + 1,
                                                new ReplicaCommand.WriteEntities(
                                                        List.of(
                                                                operation(
                                                                        EntityOperation.Kind.INSERT,
                                                                        row,
                                                                        large(bytes))),
                                                        MIB,
                                                        252))));
                rows.apply(entry, new AppliedPosition(1, FIRST + row));
            }
        }
        store(name).flush();
    }

    /** Counts what slices keep on the heap, and what room they ask for. */
    private static final class Meter implements SliceRoom {
        private boolean hasSlice;
        private int slicesTaken;
        private int oversizeTaken;
        private long heldBytesMax;
        private long laterBytesMax;
        private int slices;

        @Override
        public boolean takeSlice() {
            boolean taken = !hasSlice;
            hasSlice = true;
            slicesTaken += taken ? 1 : 0;
            return taken;
        }

        @Override
        public void takeOversize() {
            assertThat(hasSlice).isTrue();
            oversizeTaken++;
        }

        void count(AppliedSlice slice) {
            long held = 0;
            long later = 0;
            for (Mutation mutation : slice.mutations()) {
                if (mutation instanceof Mutation.Put put) {
                    held += put.key().length() + put.value().length;
                } else if (mutation instanceof Mutation.PutLater put) {
                    later += put.sizeBytes();
                }
            }
            assertThat(hasSlice).isEqualTo(held + later > SliceLimits.CURRENT.smallBytes());
            heldBytesMax = Math.max(heldBytesMax, held);
            laterBytesMax = Math.max(laterBytesMax, later);
            hasSlice = false;
            slices++;
        }
    }

    private Meter applied(String name, LogEntry entry) {
        Meter meter = new Meter();
        try (ReplicaRows rows = new ReplicaRows(store(name), RANGE)) {
            RangeState state = rows.state(range());
            SliceContext context =
                    new SliceContext(rows, new NoNeighbours(), meter, command -> true, true);
            AppliedPosition before = rows.applied();
            for (int from = 0; from < entry.commands().size(); ) {
                AppliedSlice slice = state.apply(entry, before.index() + 1, from, context);
                meter.count(slice);
                from = slice.end();
                AppliedPosition after =
                        slice.whole()
                                ? new AppliedPosition(1, before.index() + 1)
                                : before.begun(from);
                rows.write(
                        slice.mutations(), slice.mutations(), before, after, before.index() + 1, 0);
                assertThat(slice.outcomes()).allMatch(Outcome.Written.class::isInstance);
            }
        }
        return meter;
    }

    private void assertFlags(String name, int value, int bytes) {
        for (int row = 0; row < 100; row++) {
            byte[] stored = store(name).get(key(row).unsafeBytes()).orElseThrow();
            List<Property> properties = EntityCodec.decodeBlock(EntityCodec.blockOf(stored));
            assertThat(properties).hasSize(2);
            assertThat(((EdmValue.BinaryValue) properties.get(0).value()).value()).hasSize(bytes);
            assertThat(properties.get(1).value()).isEqualTo(new EdmValue.Int32Value(value));
        }
    }

    private static final int NEARLY = MIB - 2_000;

    @Test
    void heapStaysWithinSlice_whenEntryHoldsManyLargeMerges() {
        fill("a", NEARLY);
        List<SubmittedCommand> commands = new ArrayList<>();
        for (int i = 0; i < 800; i++) {
            commands.add(command(List.of(merge(i % 100, i / 100))));
        }
        Meter meter = applied("a", new LogEntry(1_000, commands));

        assertThat(meter.heldBytesMax).isLessThanOrEqualTo(SliceLimits.CURRENT.sliceBytes());
        // The one that a slice ends with.
        assertThat(meter.laterBytesMax).isLessThanOrEqualTo(MIB);
        assertThat(meter.slices).isBetween(150, 270);
        assertFlags("a", 7, NEARLY);
    }

    @Test
    void heapStaysWithinSlice_whenOneEntityIsMergedManyTimes() {
        fill("a", NEARLY);
        List<SubmittedCommand> commands = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            commands.add(command(List.of(merge(7, i))));
        }
        Meter meter = applied("a", new LogEntry(1_000, commands));

        assertThat(meter.slices).isOne();
        assertThat(meter.heldBytesMax).isLessThanOrEqualTo(MIB);
        assertThat(meter.laterBytesMax).isZero();
    }

    @Test
    void heapStaysWithinSlice_whenBatchesMergeAHundredLargeEntities() {
        fill("a", NEARLY);
        List<SubmittedCommand> commands = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            List<EntityOperation> batch = new ArrayList<>();
            for (int row = 0; row < 100; row++) {
                batch.add(merge(row, i));
            }
            commands.add(command(batch));
        }
        Meter meter = applied("a", new LogEntry(1_000, commands));

        assertThat(meter.heldBytesMax).isLessThanOrEqualTo(SliceLimits.CURRENT.sliceBytes());
        assertThat(meter.slices).isEqualTo(8);
        assertThat(meter.slicesTaken).isEqualTo(8);
        assertThat(meter.oversizeTaken).isEqualTo(8);
        assertThat(meter.laterBytesMax).isGreaterThan(95L * MIB);
        assertFlags("a", 7, NEARLY);
    }

    private static final int SMALLER = 200_000;

    /** Commands of a few slices. */
    private LogEntry several() {
        List<SubmittedCommand> commands = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            commands.add(command(List.of(merge(i % 100, i / 100))));
        }
        return new LogEntry(1_000, commands);
    }

    private static final AppliedPosition NEXT = new AppliedPosition(1, FIRST + 100);

    /** Ends the process at the first moments between slices, so many times. */
    private int applyWithCrashes(String name, LogEntry entry, int crashes) {
        AtomicInteger left = new AtomicInteger(crashes);
        int begun = 0;
        for (; ; ) {
            try (AppliedRows rows =
                    rows(
                            name,
                            point -> {
                                if (left.getAndDecrement() > 0) {
                                    throw new IllegalStateException("crashed");
                                }
                            })) {
                assertThat(rows.applied().index()).isEqualTo(FIRST + 99);
                assertThat(rows.applied().commands()).isGreaterThanOrEqualTo(begun);
                begun = rows.applied().commands();
                if (left.get() > 0) {
                    assertThatIllegalStateException().isThrownBy(() -> rows.apply(entry, NEXT));
                    continue;
                }
                AppliedEntry applied = rows.apply(entry, NEXT);
                assertThat(applied.outcomes()).hasSize(begun == 0 ? entry.commands().size() : 0);
                return begun;
            }
        }
    }

    @Test
    void rowsAreTheSame_whenReplicaCrashesAfterSlices() throws Exception {
        fill("steady", SMALLER);
        fill("crashing", SMALLER);
        LogEntry entry = several();

        applyWithCrashes("steady", entry, 0);
        assertThat(applyWithCrashes("crashing", entry, 4)).isGreaterThan(50);

        assertThat(StoredDigest.of(store("crashing"), RANGE))
                .isEqualTo(StoredDigest.of(store("steady"), RANGE));
        assertFlags("crashing", 1, SMALLER);
    }

    /** A release that knows no slices could not read a position in the midst of an entry. */
    @Test
    void entryIsAppliedAsAWhole_belowTheFeatureLevelOfSlices() throws Exception {
        fill("steady", SMALLER);
        fill("whole", SMALLER);
        LogEntry entry = several();
        applyWithCrashes("steady", entry, 0);
        ApplyRoom room = new ApplyRoom(1, () -> false, System::nanoTime, waited -> {});
        try (AppliedRows rows =
                new AppliedRows(
                        range(),
                        store("whole"),
                        SELF,
                        new NoNeighbours(),
                        room,
                        new ApplyMarks(Path.of("none")),
                        point -> {
                            throw new IllegalStateException("a second slice");
                        })) {
            assertThat(rows.apply(entry, NEXT).outcomes()).hasSize(entry.commands().size());
            assertThat(rows.applied()).isEqualTo(NEXT);
        }
        assertThat(StoredDigest.of(store("whole"), RANGE))
                .isEqualTo(StoredDigest.of(store("steady"), RANGE));
        assertFlags("whole", 1, SMALLER);
    }

    private void crashOnce(String name, LogEntry entry) {
        try (AppliedRows rows =
                rows(
                        name,
                        point -> {
                            throw new IllegalStateException("crashed");
                        })) {
            assertThatIllegalStateException().isThrownBy(() -> rows.apply(entry, NEXT));
        }
    }

    private StagedCopy copied(String from, String to) throws IOException {
        StagedCopy staged = new StagedCopy(store(to), folder.resolve("x").resolve(to), RANGE);
        try (ReplicaCopy copy = ReplicaCopy.open(store(from), RANGE, position -> {})) {
            staged.begin(copy.range(), copy.applied());
            copy.forEachRow(
                    (key, keyLength, value, valueLength) ->
                            staged.row(
                                    java.util.Arrays.copyOf(key, keyLength),
                                    java.util.Arrays.copyOf(value, valueLength)));
        }
        staged.complete();
        return staged;
    }

    @Test
    void copyGoesOnInTheMidstOfEntry_whenMadeBetweenSlices() throws Exception {
        fill("source", SMALLER);
        LogEntry entry = several();
        crashOnce("source", entry);
        StoredReplica.keep(store("live"), range(), ReplicaPhase.JOINING);
        StoredReplica.keep(store("restarted"), range(), ReplicaPhase.JOINING);
        try (AppliedRows live = rows("live", CrashHook.none());
                AppliedRows restarted = rows("restarted", CrashHook.none());
                StagedCopy first = copied("source", "live");
                StagedCopy second = copied("source", "restarted")) {
            assertThat(first.applied().commands()).isPositive();
            live.replace(first, List.of(), () -> List.of(), CrashHook.none());
            restarted.replace(second, List.of(), () -> List.of(), CrashHook.none());
            // Entries from before the copy that Ratis still hands over.
            live.pass(new AppliedPosition(1, FIRST + 3));
            live.apply(entry, NEXT);
        }
        applyWithCrashes("restarted", entry, 0);
        applyWithCrashes("source", entry, 0);

        StoredDigest expected = StoredDigest.of(store("source"), RANGE);
        assertThat(StoredDigest.of(store("live"), RANGE)).isEqualTo(expected);
        assertThat(StoredDigest.of(store("restarted"), RANGE)).isEqualTo(expected);
        assertFlags("live", 1, SMALLER);
    }

    @Test
    void replicaStops_whenAnotherEntryFollowsTheOneBegun() {
        fill("a", SMALLER);
        LogEntry entry = several();
        crashOnce("a", entry);
        try (AppliedRows rows = rows("a", CrashHook.none())) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> rows.apply(entry, new AppliedPosition(1, FIRST + 101)));
            assertThatIllegalStateException().isThrownBy(() -> rows.pass(NEXT));
        }
    }

    @Test
    void applyIsCutShort_whenReplicaEndsWhileItWaitsForRoom() throws Exception {
        fill("steady", SMALLER);
        fill("a", SMALLER);
        LogEntry entry = several();
        applyWithCrashes("steady", entry, 0);
        ApplyRoom room = new ApplyRoom(1, () -> true, System::nanoTime, waited -> {});
        room.share(() -> false).takeSlice();
        try (AppliedRows rows =
                new AppliedRows(
                        range(),
                        store("a"),
                        SELF,
                        new NoNeighbours(),
                        room,
                        new ApplyMarks(Path.of("none")),
                        CrashHook.none())) {
            rows.ending();
            assertThatExceptionOfType(CancellationException.class)
                    .isThrownBy(() -> rows.apply(entry, NEXT));
        }
        applyWithCrashes("a", entry, 0);
        assertThat(StoredDigest.of(store("a"), RANGE))
                .isEqualTo(StoredDigest.of(store("steady"), RANGE));
    }

    /** What its log does not hold is nowhere. */
    @Test
    void successorGoesOnAfterEntry_whenLostRangeEndsInTheMidst() {
        fill("a", SMALLER);
        crashOnce("a", several());
        HostedRange successorReplica =
                new HostedRange(
                        new RangeDescriptor(
                                new RangeId(9), KeyRange.ALL, Generation.FIRST, List.of(SELF)),
                        range().members());
        try (AppliedRows rows = rows("a", CrashHook.none())) {
            StoredReplica.succeed(store("a"), RANGE, successorReplica, rows.applied());
        }
        try (AppliedRows rows =
                new AppliedRows(
                        successorReplica,
                        store("a"),
                        SELF,
                        new NoNeighbours(),
                        ApplyRoomTest.ample(),
                        new ApplyMarks(Path.of("none")),
                        CrashHook.none())) {
            assertThat(rows.applied()).isEqualTo(AppliedPosition.ofFounding(NEXT.index()));
        }
    }
}

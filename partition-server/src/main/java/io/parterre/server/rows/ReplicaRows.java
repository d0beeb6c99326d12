package io.parterre.server.rows;

import io.parterre.entity.Ticks;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.apply.HostedRangeCodec;
import io.parterre.server.apply.Mutation;
import io.parterre.server.apply.OwnKey;
import io.parterre.server.apply.OwnRow;
import io.parterre.server.apply.RangeState;
import io.parterre.server.apply.RangeTime;
import io.parterre.server.apply.StateView;
import io.parterre.server.lifecycle.ReplicaPhase;
import io.parterre.server.store.LocalKey;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreBatch;
import io.parterre.server.store.StoreSnapshot;
import io.parterre.server.store.StoredRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One replica's rows in the node's store: the data of the range, the descriptor, the applied
 * position, and the range's own rows. Only the applying thread writes.
 */
public final class ReplicaRows implements StateView, AutoCloseable {
    private static final byte DESCRIPTOR = 'D';
    private static final byte APPLIED = 'A';
    private static final byte PHASE = 'P';

    private final ServerStore store;
    private final RangeId rangeId;
    private final byte[] appliedKey;
    private final StoreBatch batch = new StoreBatch();
    private final Writer writer = new Writer();
    private final ChangeRecorder recorder;
    private Optional<ReplicaPhase> next = Optional.empty();
    private long entryIndex = -1;

    public ReplicaRows(ServerStore store, RangeId rangeId) {
        this.store = store;
        this.rangeId = rangeId;
        this.recorder = new ChangeRecorder(store.records(), rangeId);
        this.appliedKey = appliedKey(rangeId);
    }

    public static byte[] descriptorKey(RangeId rangeId) {
        return LocalKey.of(rangeId, DESCRIPTOR);
    }

    public static byte[] appliedKey(RangeId rangeId) {
        return LocalKey.of(rangeId, APPLIED);
    }

    public static byte[] phaseKey(RangeId rangeId) {
        return LocalKey.of(rangeId, PHASE);
    }

    public static byte[] encoded(HostedRange range) {
        return HostedRangeCodec.encode(range);
    }

    /**
     * Whether a local row belongs to the range and is the same on all replicas, and is not just
     * this replica's.
     */
    public static boolean isOfRange(byte[] localKey) {
        return ownKind(LocalKey.kind(localKey)).isPresent();
    }

    public static Optional<HostedRange> descriptor(ServerStore store, RangeId rangeId) {
        return store.get(descriptorKey(rangeId)).map(HostedRangeCodec::decode);
    }

    public static ReplicaPhase phase(ServerStore store, RangeId rangeId) {
        return store.get(phaseKey(rangeId)).map(ReplicaPhase::decode).orElse(ReplicaPhase.FOUNDED);
    }

    public static void put(StoreBatch batch, HostedRange range, ReplicaPhase phase) {
        RangeId rangeId = range.descriptor().rangeId();
        batch.put(descriptorKey(rangeId), HostedRangeCodec.encode(range));
        if (phase != ReplicaPhase.FOUNDED) {
            batch.put(phaseKey(rangeId), phase.encode());
        }
    }

    /** Stores a replica of a range that is created from nothing; durable when the call returns. */
    public static void found(ServerStore store, HostedRange range) {
        try (StoreBatch batch = new StoreBatch()) {
            put(batch, range, ReplicaPhase.BORN);
            batch.put(appliedKey(range.descriptor().rangeId()), AppliedPosition.FOUNDED.encode());
            store.write(batch);
        }
        store.flush();
    }

    /** Stores a new replica; durable when the call returns. */
    public static void keep(ServerStore store, HostedRange range, ReplicaPhase phase) {
        try (StoreBatch batch = new StoreBatch()) {
            put(batch, range, phase);
            store.write(batch);
        }
        store.flush();
    }

    /**
     * Notes that a copy is being installed, and which ranges no longer exist because of it; durable
     * when the call returns.
     */
    public static void markInstalling(
            ServerStore store, HostedRange range, List<RangeId> superseded) {
        try (StoreBatch batch = new StoreBatch()) {
            put(batch, range, ReplicaPhase.INSTALLING);
            store.records().close(range.descriptor().rangeId(), batch);
            superseded.forEach(each -> batch.put(phaseKey(each), ReplicaPhase.ABSORBED.encode()));
            store.write(batch);
        }
        store.flush();
    }

    /** Stores the phase of the replica; durable when the call returns. */
    public static void mark(ServerStore store, RangeId rangeId, ReplicaPhase phase) {
        try (StoreBatch batch = new StoreBatch()) {
            batch.put(phaseKey(rangeId), phase.encode());
            store.write(batch);
        }
        store.flush();
    }

    /**
     * Lets a replica continue as a replica of another range over the same keys. The successor gets
     * the range's own rows under its own id, and a log that continues from this replica's position.
     * The replica itself is marked for removal. Durable when the call returns, all or nothing.
     *
     * @param position position up to which the replica's log is applied; an entry that is applied
     *     in part counts as applied, because nobody has the rest
     */
    public static void succeed(
            ServerStore store, RangeId rangeId, HostedRange successor, AppliedPosition position) {
        RangeId successorId = successor.descriptor().rangeId();
        try (StoreBatch batch = new StoreBatch()) {
            put(batch, successor, ReplicaPhase.BORN);
            batch.put(
                    appliedKey(successorId),
                    AppliedPosition.ofFounding(position.lastTouched()).encode());
            for (StoredRow row : store.localRows().of(rangeId)) {
                if (isOfRange(row.key())) {
                    batch.put(
                            LocalKey.of(
                                    successorId,
                                    LocalKey.kind(row.key()),
                                    LocalKey.suffix(row.key())),
                            row.value());
                }
            }
            batch.put(phaseKey(rangeId), ReplicaPhase.REMOVING.encode());
            store.write(batch);
        }
        store.flush();
    }

    /** Removes all rows of the replica: its own rows, and those of the data. */
    public static void deleteAll(StoreBatch batch, RangeId rangeId, List<KeyRange> data) {
        batch.deleteLocal(rangeId);
        for (KeyRange each : data) {
            batch.deleteRange(each.start().unsafeBytes(), each.endExclusive().unsafeBytes());
        }
    }

    /**
     * Removes all rows of the replica; durable when the call returns.
     *
     * @param others bounds of the node's other replicas, whose rows stay
     */
    public static void deleteDurably(
            ServerStore store, RangeDescriptor descriptor, List<KeyRange> others) {
        List<KeyRange> emptied = FreeKeys.of(descriptor.bounds(), others);
        store.files().drop(emptied);
        try (StoreBatch batch = new StoreBatch()) {
            deleteAll(batch, descriptor.rangeId(), emptied);
            store.write(batch);
        }
        store.flush();
    }

    /** Removes the replica's own rows, and no data; durable when the call returns. */
    public static void deleteOwnDurably(ServerStore store, RangeId rangeId) {
        try (StoreBatch batch = new StoreBatch()) {
            batch.deleteLocal(rangeId);
            store.write(batch);
        }
        store.flush();
    }

    @Override
    public Optional<byte[]> get(Key key) {
        return store.get(key.unsafeBytes());
    }

    public AppliedPosition applied() {
        return store.get(appliedKey).map(AppliedPosition::decode).orElse(AppliedPosition.NONE);
    }

    /** Returns the position to which a crash now would fall back. */
    public AppliedPosition durablyApplied() {
        return store.getDurable(appliedKey)
                .map(AppliedPosition::decode)
                .orElse(AppliedPosition.NONE);
    }

    public RangeState state(HostedRange range) {
        return RangeState.restore(range, own(store, rangeId));
    }

    /**
     * Returns the log time of a range in a snapshot, see {@link RangeTime#latestTicks}; {@link
     * Ticks#MIN} if it has none yet.
     */
    public static long logTimeTicks(StoreSnapshot snapshot, RangeId rangeId) {
        return snapshot.get(localKey(rangeId, OwnKey.CLOCK))
                .map(row -> Math.max(Ticks.MIN, RangeTime.ofRow(row).latestTicks()))
                .orElse(Ticks.MIN);
    }

    /** Returns the range's own rows, as stored. */
    public static List<OwnRow> own(ServerStore store, RangeId rangeId) {
        List<OwnRow> own = new ArrayList<>();
        for (StoredRow row : store.localRows().of(rangeId)) {
            ownKind(LocalKey.kind(row.key()))
                    .ifPresent(
                            kind ->
                                    own.add(
                                            new OwnRow(
                                                    new OwnKey(
                                                            kind,
                                                            Key.wrap(LocalKey.suffix(row.key()))),
                                                    row.value())));
        }
        return own;
    }

    private static Optional<OwnKey.Kind> ownKind(byte tag) {
        for (OwnKey.Kind kind : OwnKey.Kind.values()) {
            if (kind.tag() == tag) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    /** Stores the phase of the replica with the next write. */
    public void phaseWithNext(ReplicaPhase phase) {
        next = Optional.of(phase);
    }

    /** Notes that a copy has replaced the rows. */
    public void replaced() {
        recorder.forget();
    }

    /** Whether the node records changes and no start is noted for this range. Never blocks. */
    public boolean isRecordBehind() {
        return recorder.isBehind();
    }

    /**
     * Begins to record all further entries, if the node records changes and this range is not
     * recorded yet.
     */
    public void record(AppliedPosition before) {
        if (recorder.isBehind()) {
            batch.clear();
            recorder.begin(batch, before);
            store.write(batch);
            recorder.written();
        }
    }

    /**
     * Writes the changes of an entry, or of a slice of it, together with the position, all or
     * nothing.
     *
     * @param mutations mutations as they are the same on all nodes
     * @param here the corresponding mutations for this node, in the same order
     * @param before position of the rows so far
     * @param position position of the rows after the write
     * @param index index of the entry
     * @param timeTicks log time of the range after the entry
     */
    public void write(
            List<Mutation> mutations,
            List<Mutation> here,
            AppliedPosition before,
            AppliedPosition position,
            long index,
            long timeTicks) {
        batch.clear();
        entryIndex = index;
        recorder.begin(batch, before);
        recorder.entry(index, before.commands(), timeTicks);
        for (int i = 0; i < here.size(); i++) {
            here.get(i).match(writer);
            recorder.add(batch, mutations.get(i));
        }
        recorder.finish(batch, position.index() == index);
        batch.put(appliedKey, position.encode());
        next.ifPresent(phase -> batch.put(phaseKey(rangeId), phase.encode()));
        store.write(batch);
        recorder.written();
        next = Optional.empty();
    }

    /** Writes the position after an entry that changes nothing. */
    public void pass(AppliedPosition before, AppliedPosition position) {
        write(List.of(), List.of(), before, position, position.index(), Long.MIN_VALUE);
    }

    private static byte[] localKey(RangeId rangeId, OwnKey key) {
        return LocalKey.of(rangeId, key.kind().tag(), key.suffix().unsafeBytes());
    }

    /** Adds mutations to the batch. */
    private final class Writer implements Mutation.Cases<Void> {
        @Override
        public Void put(Mutation.Put put) {
            batch.put(put.key().unsafeBytes(), put.value());
            return null;
        }

        @Override
        public Void putLater(Mutation.PutLater put) {
            Mutation.Put made = put.now();
            recorder.made(batch, made);
            return put(made);
        }

        @Override
        public Void delete(Mutation.Delete delete) {
            batch.delete(delete.key().unsafeBytes());
            return null;
        }

        @Override
        public Void deleteRange(Mutation.DeleteRange delete) {
            batch.deleteRange(
                    delete.range().start().unsafeBytes(),
                    delete.range().endExclusive().unsafeBytes());
            return null;
        }

        @Override
        public Void putOwn(Mutation.PutOwn put) {
            batch.put(localKey(rangeId, put.key()), put.value());
            return null;
        }

        @Override
        public Void deleteOwn(Mutation.DeleteOwn delete) {
            batch.delete(localKey(rangeId, delete.key()));
            return null;
        }

        @Override
        public Void putRange(Mutation.PutRange put) {
            batch.put(descriptorKey(rangeId), HostedRangeCodec.encode(put.range()));
            return null;
        }

        /**
         * The child's log continues from the entry that creates the child, whichever slice of the
         * entry this is: the child's own rows are numbered by that entry.
         */
        @Override
        public Void putChild(Mutation.PutChild put) {
            RangeId childId = put.range().descriptor().rangeId();
            ReplicaRows.put(batch, put.range(), ReplicaPhase.BORN);
            batch.put(appliedKey(childId), AppliedPosition.ofFounding(entryIndex).encode());
            recorder.childBegins(batch, childId, entryIndex);
            for (OwnRow row : put.own()) {
                batch.put(localKey(childId, row.key()), row.value());
            }
            return null;
        }

        /** The other own rows of the absorbed range are removed with its log. */
        @Override
        public Void absorbNeighbour(Mutation.AbsorbNeighbour taken) {
            batch.put(
                    phaseKey(taken.range().descriptor().rangeId()), ReplicaPhase.ABSORBED.encode());
            return null;
        }
    }

    @Override
    public void close() {
        batch.close();
    }
}

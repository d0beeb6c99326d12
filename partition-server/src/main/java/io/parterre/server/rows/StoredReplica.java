package io.parterre.server.rows;

import io.parterre.entity.Ticks;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.apply.HostedRangeCodec;
import io.parterre.server.apply.OwnKey;
import io.parterre.server.apply.OwnRow;
import io.parterre.server.apply.RangeTime;
import io.parterre.server.lifecycle.ReplicaPhase;
import io.parterre.server.store.LocalKey;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreBatch;
import io.parterre.server.store.StoreSnapshot;
import io.parterre.server.store.StoredRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the node's store has of a replica, by range: created, marked, succeeded and removed as a
 * whole. {@link ReplicaRows} changes the same rows as entries are applied. Stateless.
 */
public final class StoredReplica {
    private static final byte DESCRIPTOR = 'D';
    private static final byte APPLIED = 'A';
    private static final byte PHASE = 'P';

    private StoredReplica() {}

    public static byte[] descriptorKey(RangeId rangeId) {
        return LocalKey.of(rangeId, DESCRIPTOR);
    }

    public static byte[] appliedKey(RangeId rangeId) {
        return LocalKey.of(rangeId, APPLIED);
    }

    public static byte[] phaseKey(RangeId rangeId) {
        return LocalKey.of(rangeId, PHASE);
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

    /**
     * Returns the range of a replica in a snapshot.
     *
     * @throws IOException if there is no replica
     */
    public static HostedRange range(StoreSnapshot snapshot, RangeId rangeId) throws IOException {
        return snapshot.get(descriptorKey(rangeId))
                .map(HostedRangeCodec::decode)
                .orElseThrow(() -> new IOException("range " + rangeId + " is gone"));
    }

    /**
     * Returns the applied position of a replica in a snapshot.
     *
     * @throws IOException if nothing was applied yet
     */
    public static AppliedPosition applied(StoreSnapshot snapshot, RangeId rangeId)
            throws IOException {
        return snapshot.get(appliedKey(rangeId))
                .map(AppliedPosition::decode)
                .orElseThrow(() -> new IOException("range " + rangeId + " is empty"));
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

    static byte[] localKey(RangeId rangeId, OwnKey key) {
        return LocalKey.of(rangeId, key.kind().tag(), key.suffix().unsafeBytes());
    }
}

package io.parterre.server.rows;

import io.parterre.key.Key;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.apply.HostedRangeCodec;
import io.parterre.server.apply.Mutation;
import io.parterre.server.apply.OwnRow;
import io.parterre.server.apply.RangeState;
import io.parterre.server.apply.StateView;
import io.parterre.server.lifecycle.ReplicaPhase;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreBatch;
import java.util.List;
import java.util.Optional;

/**
 * One replica's rows in the node's store, as entries change them: the data of the range, the
 * descriptor, the applied position, and the range's own rows. Only the applying thread writes.
 */
public final class ReplicaRows implements StateView, AutoCloseable {
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
        this.appliedKey = StoredReplica.appliedKey(rangeId);
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
        return RangeState.restore(range, StoredReplica.own(store, rangeId));
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
        next.ifPresent(phase -> batch.put(StoredReplica.phaseKey(rangeId), phase.encode()));
        store.write(batch);
        recorder.written();
        next = Optional.empty();
    }

    /** Writes the position after an entry that changes nothing. */
    public void pass(AppliedPosition before, AppliedPosition position) {
        write(List.of(), List.of(), before, position, position.index(), Long.MIN_VALUE);
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
            batch.put(StoredReplica.localKey(rangeId, put.key()), put.value());
            return null;
        }

        @Override
        public Void deleteOwn(Mutation.DeleteOwn delete) {
            batch.delete(StoredReplica.localKey(rangeId, delete.key()));
            return null;
        }

        @Override
        public Void putRange(Mutation.PutRange put) {
            batch.put(StoredReplica.descriptorKey(rangeId), HostedRangeCodec.encode(put.range()));
            return null;
        }

        /**
         * The child's log continues from the entry that creates the child, whichever slice of the
         * entry this is: the child's own rows are numbered by that entry.
         */
        @Override
        public Void putChild(Mutation.PutChild put) {
            RangeId childId = put.range().descriptor().rangeId();
            StoredReplica.put(batch, put.range(), ReplicaPhase.BORN);
            batch.put(
                    StoredReplica.appliedKey(childId),
                    AppliedPosition.ofFounding(entryIndex).encode());
            recorder.childBegins(batch, childId, entryIndex);
            for (OwnRow row : put.own()) {
                batch.put(StoredReplica.localKey(childId, row.key()), row.value());
            }
            return null;
        }

        /** The other own rows of the absorbed range are removed with its log. */
        @Override
        public Void absorbNeighbour(Mutation.AbsorbNeighbour taken) {
            batch.put(
                    StoredReplica.phaseKey(taken.range().descriptor().rangeId()),
                    ReplicaPhase.ABSORBED.encode());
            return null;
        }
    }

    @Override
    public void close() {
        batch.close();
    }
}

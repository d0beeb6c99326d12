package io.parterre.server.rows;

import io.parterre.entity.ByteSink;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.Mutation;
import io.parterre.server.record.ChangeRecordCodec;
import io.parterre.server.record.RowChange;
import io.parterre.server.store.ChangeRecords;
import io.parterre.server.store.RecordKey;
import io.parterre.server.store.RecordsBegun;
import io.parterre.server.store.StoreBatch;
import java.util.Optional;

/**
 * Records what entries change of one replica's range, in the batch with the change. So a record
 * exists exactly as long as the change, also after a crash. Records are the same on all members,
 * except that a member may begin to record later. Not thread-safe, except for {@link #isBehind}.
 */
final class ChangeRecorder {
    /** A large entry makes several records, so that a large record is never held twice. */
    private static final int RECORD_BYTES = 256 << 10;

    private static final int SINK_BYTES = 4 << 10;

    private final ChangeRecords records;
    private final RangeId rangeId;

    /**
     * Stored start of the records; empty if entries are not recorded, or their start is unknown.
     */
    private volatile Optional<RecordsBegun> begun;

    private Optional<RecordsBegun> begunWithNext;
    private final ByteSink record = new ByteSink(64);
    private boolean recording;
    private long index;
    private int from;
    private int part;
    private long timeTicks;
    private long addedBytes;

    ChangeRecorder(ChangeRecords records, RangeId rangeId) {
        this.records = records;
        this.rangeId = rangeId;
        this.begun = records.begun(rangeId);
        this.begunWithNext = begun;
    }

    /** Forgets the start of the records, because the rows were replaced. */
    void forget() {
        begun = Optional.empty();
    }

    /** Whether the node records changes and no start is noted for this range. */
    boolean isBehind() {
        long epoch = records.epoch();
        return epoch > 0 && begun.map(RecordsBegun::epoch).orElse(0L) != epoch;
    }

    /** Notes since when the range is recorded, unless that is noted already. */
    void begin(StoreBatch batch, AppliedPosition before) {
        addedBytes = 0;
        long epoch = records.epoch();
        if (epoch == 0) {
            begunWithNext = Optional.empty();
        } else if (isBehind()) {
            // If recording begins in the middle of an entry, a part of that entry is missing.
            begunWithNext = Optional.of(new RecordsBegun(epoch, before.lastTouched()));
            batch.put(RecordKey.begun(rangeId), begunWithNext.get().encode());
        } else {
            begunWithNext = begun;
        }
    }

    /**
     * Begins an entry, or the rest of it.
     *
     * @param fromCommand number of its commands that were applied before
     */
    void entry(long entryIndex, int fromCommand, long logTimeTicks) {
        index = entryIndex;
        from = fromCommand;
        part = 0;
        timeTicks = logTimeTicks;
        record.clear();
        recording = begunWithNext.map(each -> entryIndex > each.afterIndex()).orElse(false);
    }

    /** Records a change, except for a row that is made while it is written: see {@link #made}. */
    void add(StoreBatch batch, Mutation mutation) {
        if (recording) {
            mutation.match(CHANGES).ifPresent(change -> append(batch, change));
        }
    }

    /** Records a row that was made. */
    void made(StoreBatch batch, Mutation.Put put) {
        if (recording) {
            append(batch, new RowChange.Put(put.key(), put.value()));
        }
    }

    private void append(StoreBatch batch, RowChange change) {
        if (record.size() == 0) {
            ChangeRecordCodec.begin(record, timeTicks);
        }
        ChangeRecordCodec.append(record, change);
        if (record.size() >= RECORD_BYTES) {
            flush(batch, false);
        }
    }

    private void flush(StoreBatch batch, boolean last) {
        byte[] key = RecordKey.record(rangeId, index, from, part);
        // The space of a large record is released, because each replica has a sink.
        byte[] value = record.size() > SINK_BYTES ? record.takeBytes() : record.toBytes();
        if (last) {
            ChangeRecordCodec.markLast(value);
        }
        batch.put(key, value);
        addedBytes += key.length + (long) value.length;
        record.clear();
        part++;
    }

    /**
     * Ends the records of this batch.
     *
     * @param whole whether the batch ends the entry
     */
    void finish(StoreBatch batch, boolean whole) {
        if (recording && whole && record.size() == 0 && (part > 0 || from > 0)) {
            // The last record was not known to be the last.
            ChangeRecordCodec.begin(record, timeTicks);
        }
        if (record.size() > 0) {
            flush(batch, whole);
        }
    }

    /** Notes the start of a child's records: they begin after the entry, like the child's log. */
    void childBegins(StoreBatch batch, RangeId childId, long entryIndex) {
        begunWithNext.ifPresent(
                own ->
                        batch.put(
                                RecordKey.begun(childId),
                                new RecordsBegun(own.epoch(), entryIndex).encode()));
    }

    /** Notes that the batch is written. */
    void written() {
        begun = begunWithNext;
        if (addedBytes > 0) {
            records.written(addedBytes);
        }
    }

    /**
     * Mutations as they are recorded; empty for the range's own rows, which concern only the range
     * itself.
     */
    private static final Mutation.Cases<Optional<RowChange>> CHANGES =
            new Mutation.Cases<>() {
                @Override
                public Optional<RowChange> put(Mutation.Put put) {
                    return Optional.of(new RowChange.Put(put.key(), put.value()));
                }

                @Override
                public Optional<RowChange> putLater(Mutation.PutLater put) {
                    return Optional.empty();
                }

                @Override
                public Optional<RowChange> delete(Mutation.Delete delete) {
                    return Optional.of(new RowChange.Delete(delete.key()));
                }

                @Override
                public Optional<RowChange> deleteRange(Mutation.DeleteRange emptied) {
                    return Optional.of(new RowChange.DeleteRange(emptied.range()));
                }

                @Override
                public Optional<RowChange> putOwn(Mutation.PutOwn put) {
                    return Optional.empty();
                }

                @Override
                public Optional<RowChange> deleteOwn(Mutation.DeleteOwn delete) {
                    return Optional.empty();
                }

                @Override
                public Optional<RowChange> putRange(Mutation.PutRange put) {
                    RangeDescriptor now = put.range().descriptor();
                    return Optional.of(
                            new RowChange.Bounds(now.generation(), now.bounds(), now.isFrozen()));
                }

                @Override
                public Optional<RowChange> putChild(Mutation.PutChild put) {
                    RangeDescriptor child = put.range().descriptor();
                    return Optional.of(new RowChange.Child(child.rangeId(), child.bounds()));
                }

                @Override
                public Optional<RowChange> absorbNeighbour(Mutation.AbsorbNeighbour taken) {
                    RangeDescriptor right = taken.range().descriptor();
                    return Optional.of(
                            new RowChange.Absorbed(
                                    right.rangeId(), right.generation(), right.bounds()));
                }
            };
}

package io.parterre.server.store;

import com.google.protobuf.ByteString;
import io.parterre.range.RangeId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Change records of log entries, kept until an archive has them. Recording continues only while the
 * archive repeats its request. It ends when the records take more room than allowed: all records
 * are then dropped, so that an archive that died never fills the disk. Gaps are visible, because
 * each range notes since when it is recorded without a gap. Safe for any thread; may wait for the
 * disk.
 */
public final class ChangeRecords {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeRecords.class);
    private static final int TRIM_ROWS_MAX = 10_000;

    private final RecordRows rows;
    private final ServerStore store;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong drops = new AtomicLong();
    private volatile RecordSession session;

    /**
     * Set when too much is recorded. Recording then ends for good, even if there is room again
     * before it has ended.
     */
    private volatile boolean over;

    ChangeRecords(RocksResources rocks, StoreGuard guard, ServerStore store) {
        this.rows = new RecordRows(rocks, guard);
        this.store = store;
        this.session =
                store.get(RecordKey.session())
                        .map(RecordSession::decode)
                        .orElse(RecordSession.NONE);
        if (session.on()) {
            bytes.set(rows.sizeBytes());
        }
    }

    /**
     * Returns the epoch in which entries are recorded now; 0: they are not recorded. Never blocks.
     */
    public long epoch() {
        RecordSession now = session;
        return now.on() && !over ? now.epoch() : 0;
    }

    /** Returns the current session. */
    public RecordSession session() {
        return session;
    }

    /** Returns the bytes of all records. */
    public long bytes() {
        return bytes.get();
    }

    /** Returns how often records were dropped that no archive had. */
    public long drops() {
        return drops.get();
    }

    /**
     * Adds bytes that were written. Ends recording soon if the records exceed the session's limit.
     */
    public void written(long added) {
        RecordSession now = session;
        if (bytes.addAndGet(added) > now.bytesMax() && now.on()) {
            over = true;
        }
    }

    /**
     * Starts or continues recording for the archive.
     *
     * @return false if this node records for another archive
     */
    public synchronized boolean keep(
            ByteString archiveId, long untilMillis, long bytesMax, long archivedMillis) {
        RecordSession now = session;
        if (now.on() && !now.isOf(archiveId)) {
            return false;
        }
        if (over) {
            drop("more bytes than " + now.bytesMax());
        }
        now = session;
        RecordSession next =
                new RecordSession(
                        true,
                        now.on() ? now.epoch() : now.epoch() + 1,
                        untilMillis,
                        bytesMax,
                        archivedMillis,
                        archiveId);
        try (StoreBatch batch = new StoreBatch()) {
            batch.put(RecordKey.session(), next.encode());
            store.write(batch);
        }
        session = next;
        if (!now.on()) {
            // A crash may lose records, which the replayed entries make again. It must not lose the
            // session itself.
            store.flush();
            LOG.info("changes are recorded epoch={} bytesMax={}", next.epoch(), bytesMax);
        }
        return true;
    }

    /** Ends recording for the archive. */
    public synchronized void stop(ByteString archiveId) {
        if (session.on() && session.isOf(archiveId)) {
            drop("asked to");
        }
    }

    /** Ends recording if its time is over, or the records or the disk are too full. */
    public synchronized void look(long nowMillis, boolean lacksRoom) {
        if (!session.on()) {
            return;
        }
        if (over) {
            drop("more bytes than " + session.bytesMax());
        } else if (lacksRoom) {
            drop("the disk lacks room");
        } else if (nowMillis > session.untilMillis()) {
            drop("the archive has not asked again");
        }
    }

    private void drop(String why) {
        LOG.warn("records of changes dropped bytes={} reason={}", bytes.get(), why);
        RecordSession ended = session.ended();
        session = ended;
        try (StoreBatch batch = new StoreBatch()) {
            batch.deleteRange(RecordKey.first(), RecordKey.last());
            batch.put(RecordKey.session(), ended.encode());
            store.write(batch);
        }
        if (bytes.getAndSet(0) > 0) {
            drops.incrementAndGet();
        }
        over = false;
    }

    /** Returns since when a range is recorded in the current epoch; empty: it is not recorded. */
    public Optional<RecordsBegun> begun(RangeId rangeId) {
        return RecordsBegun.of(store.get(RecordKey.begun(rangeId)), epoch());
    }

    /** Returns the spans of a range's entries that are recorded here in the current epoch. */
    public List<RecordSpan> spans(RangeId rangeId) {
        long epoch = epoch();
        long trimmed = trimmed(rangeId);
        List<RecordSpan> spans = new ArrayList<>();
        begun(rangeId)
                .map(open -> Math.max(open.afterIndex(), trimmed))
                .ifPresent(after -> spans.add(new RecordSpan(after, OptionalLong.empty())));
        rows.closed(rangeId)
                .forEach(
                        (after, closed) -> {
                            // The stored index is that of the span's last entry.
                            if (closed.epoch() == epoch && closed.afterIndex() > trimmed) {
                                spans.add(
                                        new RecordSpan(
                                                Math.max(after, trimmed),
                                                OptionalLong.of(closed.afterIndex())));
                            }
                        });
        return spans;
    }

    /**
     * Closes the open span of a range because a copy replaces the range's rows. Earlier records
     * stay, and the entries in the copy are not recorded.
     */
    public void close(RangeId rangeId, StoreBatch batch) {
        Optional<RecordsBegun> open = begun(rangeId);
        batch.delete(RecordKey.begun(rangeId));
        long last = lastWhole(rangeId);
        if (open.isPresent() && last > open.get().afterIndex()) {
            batch.put(
                    RecordKey.closed(rangeId, open.get().afterIndex()),
                    new RecordsBegun(open.get().epoch(), last).encode());
        }
    }

    private long trimmed(RangeId rangeId) {
        return store.get(RecordKey.trimmed(rangeId))
                .map(row -> ByteBuffer.wrap(row).getLong())
                .orElse(-1L);
    }

    /**
     * Returns the ranges of which there may be records, whether they have a replica here or not.
     */
    public List<RangeId> ranges() {
        return rows.ranges();
    }

    /**
     * Returns the entry up to which the records of a range are whole; -1: there are none. The
     * replica may have gone in the midst of an entry.
     */
    public long lastWhole(RangeId rangeId) {
        return rows.last(rangeId, true);
    }

    /**
     * Drops records up to an entry, because an archive has them.
     *
     * @param here whether the range has a replica here; if not, and no record is left, the range's
     *     own notes are dropped too
     */
    public synchronized void trim(RangeId rangeId, long index, boolean here) {
        boolean more = true;
        while (more) {
            more = trimSome(rangeId, index);
        }
        boolean left = rows.last(rangeId, false) >= 0;
        try (StoreBatch batch = new StoreBatch()) {
            rows.closed(rangeId)
                    .forEach(
                            (after, closed) -> {
                                if (closed.afterIndex() <= index) {
                                    batch.delete(RecordKey.closed(rangeId, after));
                                }
                            });
            if (!here && !left) {
                batch.delete(RecordKey.begun(rangeId));
                batch.delete(RecordKey.trimmed(rangeId));
            }
            store.write(batch);
        }
    }

    /** Deletes row by row, because many deleted intervals at once would slow down all reads. */
    private boolean trimSome(RangeId rangeId, long index) {
        try (StoreBatch batch = new StoreBatch()) {
            RecordRows.Deleted deleted = rows.delete(rangeId, index, TRIM_ROWS_MAX, batch);
            if (deleted.rows() == 0) {
                return false;
            }
            batch.put(
                    RecordKey.trimmed(rangeId),
                    ByteBuffer.allocate(Long.BYTES).putLong(index).array());
            store.write(batch);
            bytes.addAndGet(-deleted.bytes());
            return deleted.rows() == TRIM_ROWS_MAX;
        }
    }
}

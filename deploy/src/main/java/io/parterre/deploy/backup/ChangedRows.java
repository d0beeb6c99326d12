package io.parterre.deploy.backup;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.backup.Chunk;
import io.parterre.proto.backup.EntryRecord;
import io.parterre.proto.backup.PieceReference;
import io.parterre.server.record.ChangeRecord;
import io.parterre.server.record.ChangeRecordCodec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.Predicate;

/**
 * Rows of pieces as of a time after the backup: those of the backup, with the later changes from
 * the archive. Thread-safe. Each caller holds a bounded number of bytes of changes, and reads the
 * changes again for the keys that exceed it.
 */
final class ChangedRows implements PieceSource {
    /** Most bytes of changes that one caller holds. */
    private static final long BYTES_MAX = 32 << 20;

    private final Repository repository;
    private final ArchiveParts parts;
    private final Map<KeyRange, List<Stretch>> stretches;
    private final long untilTicks;
    private final long bytesMax;

    /**
     * Creates a source of the rows at a time.
     *
     * @param stretches log entries that have changed each piece since, by the keys of the piece
     */
    ChangedRows(
            Repository repository,
            ArchiveParts parts,
            Map<KeyRange, List<Stretch>> stretches,
            long untilTicks) {
        this(repository, parts, stretches, untilTicks, BYTES_MAX);
    }

    /** Creates a source with another limit of bytes. */
    ChangedRows(
            Repository repository,
            ArchiveParts parts,
            Map<KeyRange, List<Stretch>> stretches,
            long untilTicks,
            long bytesMax) {
        this.repository = repository;
        this.parts = parts;
        this.stretches = Map.copyOf(stretches);
        this.untilTicks = untilTicks;
        this.bytesMax = bytesMax;
    }

    @Override
    public void forEachRow(
            PieceReference piece,
            Predicate<KeyRange> wanted,
            Predicate<Key> isWanted,
            RangeStream.RowTaker taker)
            throws IOException {
        KeyRange all = Intervals.of(piece.getKeys());
        List<Stretch> changed = stretches.getOrDefault(all, List.of());
        List<Chunk> chunks = new ArrayList<>(repository.piece(piece.getId()).getChunksList());
        chunks.removeIf(each -> !wanted.test(Intervals.ofChunk(each)));
        Key at = all.start();
        while (at.compareTo(all.endExclusive()) < 0) {
            KeyChanges changes =
                    new KeyChanges(new KeyRange(at, all.endExclusive()), isWanted, bytesMax);
            for (Stretch each : changed) {
                apply(each, changes);
            }
            merge(chunks, changes, isWanted, taker);
            at = changes.keys().endExclusive();
        }
    }

    private void merge(
            List<Chunk> chunks,
            KeyChanges changes,
            Predicate<Key> isWanted,
            RangeStream.RowTaker taker)
            throws IOException {
        NavigableMap<Key, byte[]> put = changes.put();
        Iterator<Map.Entry<Key, byte[]>> next = put.entrySet().iterator();
        Map.Entry<Key, byte[]> waiting = next.hasNext() ? next.next() : null;
        for (Chunk chunk : chunks) {
            if (!Intervals.ofChunk(chunk).overlaps(changes.keys())) {
                continue;
            }
            for (PieceRows.Row row : PieceRows.rows(repository, chunk)) {
                if (!changes.keys().contains(row.key()) || !isWanted.test(row.key())) {
                    continue;
                }
                while (waiting != null && waiting.getKey().compareTo(row.key()) < 0) {
                    taker.take(waiting.getKey(), waiting.getValue());
                    waiting = next.hasNext() ? next.next() : null;
                }
                if (changes.leaves(row.key())) {
                    taker.take(row.key(), row.value());
                }
            }
        }
        while (waiting != null) {
            taker.take(waiting.getKey(), waiting.getValue());
            waiting = next.hasNext() ? next.next() : null;
        }
    }

    private void apply(Stretch stretch, KeyChanges changes) throws IOException {
        if (!stretch.keys().overlaps(changes.keys())) {
            return;
        }
        long reached = stretch.afterIndex();
        for (int i = 0; i < stretch.sections().size() && i <= stretch.whole(); i++) {
            ArchiveIndex.Section section = stretch.sections().get(i);
            long last = section.head().getLastIndex();
            if (last <= reached || section.head().getAfterIndex() >= stretch.lastIndex()) {
                continue;
            }
            apply(stretch, section, reached, i < stretch.whole(), changes);
            reached = last;
        }
    }

    private void apply(
            Stretch stretch,
            ArchiveIndex.Section section,
            long after,
            boolean whole,
            KeyChanges changes)
            throws IOException {
        List<EntryRecord> records = parts.data(section).getRecordsList();
        for (int at = 0; at < records.size(); ) {
            long index = records.get(at).getIndex();
            List<ChangeRecord> entry = new ArrayList<>();
            for (; at < records.size() && records.get(at).getIndex() == index; at++) {
                entry.add(decoded(section, records.get(at)));
            }
            long ticks = entry.stream().mapToLong(ChangeRecord::timeTicks).max().orElseThrow();
            if (!whole && ticks > untilTicks) {
                return;
            }
            if (index > after && index <= stretch.lastIndex()) {
                for (ChangeRecord record : entry) {
                    record.changes().forEach(change -> changes.apply(change, stretch.keys()));
                }
            }
        }
    }

    private static ChangeRecord decoded(ArchiveIndex.Section section, EntryRecord record)
            throws BackupException {
        try {
            return ChangeRecordCodec.decode(record.getRecord().toByteArray());
        } catch (IllegalArgumentException malformed) {
            throw BackupException.damaged(
                    "archive part " + section.part() + ", entry " + record.getIndex(), malformed);
        }
    }

    /** Reads all relevant sections, without the backup's rows. */
    void verify(java.util.function.Consumer<String> told) throws IOException {
        long sections = 0;
        for (List<Stretch> each : stretches.values()) {
            for (Stretch stretch : each) {
                for (int i = 0; i < stretch.sections().size() && i <= stretch.whole(); i++) {
                    for (EntryRecord record :
                            parts.data(stretch.sections().get(i)).getRecordsList()) {
                        decoded(stretch.sections().get(i), record);
                    }
                    sections++;
                }
            }
            told.accept(sections + " sections of the archive verified");
        }
    }
}

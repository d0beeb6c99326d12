package io.parterre.deploy.backup;

import io.parterre.proto.backup.AbsorbedEvent;
import io.parterre.proto.backup.ArchiveSection;
import io.parterre.proto.backup.BoundsEvent;
import io.parterre.proto.backup.ChildEvent;
import io.parterre.proto.backup.EntryRecord;
import io.parterre.proto.backup.RangeEvent;
import io.parterre.proto.backup.SectionData;
import io.parterre.server.record.ChangeRecord;
import io.parterre.server.record.ChangeRecordCodec;
import io.parterre.server.record.RowChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes sections from a range's records. Times within a section do not decrease: where a range's
 * clock was set back, another section begins. Pure.
 */
final class SectionWriter {
    private SectionWriter() {}

    /** A section that has no place yet. */
    record Written(ArchiveSection head, SectionData data) {}

    /**
     * Returns sections that together contain all entries from one index to another.
     *
     * @param records records of whole entries, in their order
     * @param lastIndex the range has no other records up to this entry
     * @throws BackupException if a record is malformed, or the records are out of order
     */
    static List<Written> sections(
            long rangeId, long afterIndex, long lastIndex, List<EntryRecord> records)
            throws BackupException {
        List<Written> sections = new ArrayList<>();
        Open open = new Open(rangeId, afterIndex);
        long before = afterIndex;
        for (int at = 0; at < records.size(); ) {
            int end = at + 1;
            long index = records.get(at).getIndex();
            while (end < records.size() && records.get(end).getIndex() == index) {
                end++;
            }
            if (index <= before || index > lastIndex) {
                throw BackupException.damaged(
                        "changes of range " + rangeId + ": entry " + index + " out of order");
            }
            List<ChangeRecord> entry = decoded(rangeId, records.subList(at, end));
            long ticks = entry.stream().mapToLong(ChangeRecord::timeTicks).max().orElseThrow();
            if (open.any() && ticks < open.head.getLastTicks()) {
                sections.add(open.closed(index - 1));
                open = new Open(rangeId, index - 1);
            }
            open.add(index, ticks, entry, records.subList(at, end));
            before = index;
            at = end;
        }
        sections.add(open.closed(lastIndex));
        return sections;
    }

    private static List<ChangeRecord> decoded(long rangeId, List<EntryRecord> records)
            throws BackupException {
        List<ChangeRecord> decoded = new ArrayList<>();
        for (EntryRecord each : records) {
            try {
                decoded.add(ChangeRecordCodec.decode(each.getRecord().toByteArray()));
            } catch (IllegalArgumentException malformed) {
                throw BackupException.damaged(
                        "changes of range " + rangeId + ", entry " + each.getIndex(), malformed);
            }
        }
        return decoded;
    }

    private static final class Open {
        private final ArchiveSection.Builder head = ArchiveSection.newBuilder();
        private final SectionData.Builder data = SectionData.newBuilder();

        Open(long rangeId, long afterIndex) {
            head.setRangeId(rangeId).setAfterIndex(afterIndex);
        }

        boolean any() {
            return data.getRecordsCount() > 0;
        }

        void add(long index, long ticks, List<ChangeRecord> entry, List<EntryRecord> records) {
            if (!any()) {
                head.setFirstTicks(ticks);
            }
            head.setLastTicks(ticks);
            data.addAllRecords(records);
            for (ChangeRecord record : entry) {
                for (RowChange change : record.changes()) {
                    event(change)
                            .ifPresent(
                                    event -> head.addEvents(event.setIndex(index).setTicks(ticks)));
                }
            }
        }

        Written closed(long lastIndex) {
            return new Written(head.setLastIndex(lastIndex).build(), data.build());
        }
    }

    private static Optional<RangeEvent.Builder> event(RowChange change) {
        if (change instanceof RowChange.Child child) {
            return Optional.of(
                    RangeEvent.newBuilder()
                            .setChild(
                                    ChildEvent.newBuilder()
                                            .setChildId(child.childId().value())
                                            .setKeys(Intervals.toProto(child.keys()))));
        }
        if (change instanceof RowChange.Absorbed absorbed) {
            return Optional.of(
                    RangeEvent.newBuilder()
                            .setAbsorbed(
                                    AbsorbedEvent.newBuilder()
                                            .setRightId(absorbed.rightId().value())
                                            .setGeneration(absorbed.generation().value())));
        }
        if (change instanceof RowChange.Bounds bounds) {
            return Optional.of(
                    RangeEvent.newBuilder()
                            .setBounds(
                                    BoundsEvent.newBuilder()
                                            .setGeneration(bounds.generation().value())
                                            .setKeys(Intervals.toProto(bounds.keys()))
                                            .setFrozen(bounds.frozen())));
        }
        return Optional.empty();
    }
}

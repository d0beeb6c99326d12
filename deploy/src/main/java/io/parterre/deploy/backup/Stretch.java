package io.parterre.deploy.backup;

import io.parterre.key.KeyRange;
import java.util.List;

/**
 * Entries of one range's log whose changes of some keys are wanted.
 *
 * @param sections that hold them, in the order of the log
 * @param afterIndex entries up to this one do not count
 * @param lastIndex nor do those after it
 * @param whole how many of the sections count as a whole; of the next one those entries do whose
 *     time is not after the one asked for, and of the others none
 */
record Stretch(
        KeyRange keys,
        long rangeId,
        List<ArchiveIndex.Section> sections,
        long afterIndex,
        long lastIndex,
        int whole) {
    Stretch {
        sections = List.copyOf(sections);
    }
}

package io.parterre.deploy.backup;

import io.parterre.key.KeyRange;
import java.util.List;

/**
 * Entries of one range's log whose changes of some keys are needed.
 *
 * @param sections sections with these entries, in the order of the log
 * @param afterIndex entries up to this one do not count
 * @param lastIndex entries after this one do not count
 * @param whole number of sections that count completely; of the next one, entries up to the
 *     requested time count, and of the others none
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

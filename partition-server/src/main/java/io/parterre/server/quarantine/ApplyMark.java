package io.parterre.server.quarantine;

import io.parterre.range.RangeId;
import io.parterre.server.rows.AppliedPosition;

/**
 * An entry that a replica was applying when its process ended.
 *
 * @param entry position of the entry, with the number of its commands that were applied before. So
 *     there are different marks of a large entry of which one start applies more than the start
 *     before
 */
public record ApplyMark(RangeId rangeId, AppliedPosition entry) {
    /** Returns the mark as one word. */
    public String encode() {
        return rangeId.value() + "/" + entry.term() + "/" + entry.index() + "/" + entry.commands();
    }

    /**
     * Reads the result of {@link #encode}.
     *
     * @throws IllegalArgumentException if the word is no mark
     */
    public static ApplyMark decode(String word) {
        String[] parts = word.split("/");
        if (parts.length != 4) {
            throw new IllegalArgumentException("mark: " + word + " (expected: four numbers)");
        }
        return new ApplyMark(
                new RangeId(Long.parseLong(parts[0])),
                new AppliedPosition(
                        Long.parseLong(parts[1]),
                        Long.parseLong(parts[2]),
                        Integer.parseInt(parts[3])));
    }
}

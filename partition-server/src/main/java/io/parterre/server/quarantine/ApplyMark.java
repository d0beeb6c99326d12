package io.parterre.server.quarantine;

import io.parterre.range.RangeId;
import io.parterre.server.rows.AppliedPosition;

/**
 * What a replica was applying when its process ended.
 *
 * @param entry that was applied; its commands are those of the entry that were applied before, so
 *     that a large entry of which a start applies more than the one before is not the same mark
 */
public record ApplyMark(RangeId rangeId, AppliedPosition entry) {
    /** One word. */
    public String encode() {
        return rangeId.value() + "/" + entry.term() + "/" + entry.index() + "/" + entry.commands();
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @throws IllegalArgumentException if nothing of the kind
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

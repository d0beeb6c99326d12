package io.parterre.server.record;

import java.util.List;

/**
 * Changes made by a log entry, or by a part of it. Immutable.
 *
 * @param timeTicks the range's log time after these changes. No timestamp given by the range is
 *     later, and no earlier entry's time is later unless the range's clock was set back
 */
public record ChangeRecord(long timeTicks, List<RowChange> changes) {
    public ChangeRecord {
        changes = List.copyOf(changes);
    }
}

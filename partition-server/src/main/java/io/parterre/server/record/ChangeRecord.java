package io.parterre.server.record;

import java.util.List;

/**
 * What a log entry, or a part of it, has changed.
 *
 * @param timeTicks log time of the range with it: no timestamp that the range has given is later,
 *     and, but after its clock was set back, no time of an earlier entry
 */
public record ChangeRecord(long timeTicks, List<RowChange> changes) {
    public ChangeRecord {
        changes = List.copyOf(changes);
    }
}

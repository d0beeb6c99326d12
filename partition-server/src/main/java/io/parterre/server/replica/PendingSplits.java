package io.parterre.server.replica;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.RangeId;
import io.parterre.server.command.LogEntry;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.command.SubmittedCommand;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keys that a leader may be about to lose, from when a split is appended to its log until it is
 * applied. Its followers may apply the split first, elect a leader of the child and have that
 * leader take writes, while this node's own rows are still those from before. So nobody may read
 * the keys here meanwhile. Safe for any thread.
 */
public final class PendingSplits {
    private final Map<RangeId, Key> splitPoints = new ConcurrentHashMap<>();

    /** Notes that the entry is about to be appended. */
    public void appended(LogEntry entry) {
        for (SubmittedCommand command : entry.commands()) {
            if (command.body() instanceof ReplicaCommand.Split split) {
                splitPoints.put(split.firstChildId(), split.firstSplitPoint());
            }
        }
    }

    /** Notes that the entry is applied and the range's bounds have changed accordingly. */
    public void applied(LogEntry entry) {
        if (splitPoints.isEmpty()) {
            return;
        }
        for (SubmittedCommand command : entry.commands()) {
            if (command.body() instanceof ReplicaCommand.Split split) {
                splitPoints.remove(split.firstChildId());
            }
        }
    }

    /** Notes that every entry ever appended here is applied, or gone for good. */
    public void settled() {
        splitPoints.clear();
    }

    /** Whether a split is pending. */
    public boolean isAny() {
        return !splitPoints.isEmpty();
    }

    /** Whether some of the keys may be about to go; to be asked before the bounds are. */
    public boolean touches(KeyRange keys) {
        return isAny()
                && splitPoints.values().stream()
                        .anyMatch(splitPoint -> splitPoint.compareTo(keys.endExclusive()) < 0);
    }
}

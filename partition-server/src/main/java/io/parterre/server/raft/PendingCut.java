package io.parterre.server.raft;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.RangeId;
import io.parterre.server.command.LogEntry;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.command.SubmittedCommand;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keys that a leader may be about to lose: from when a split is appended to its log until it is
 * applied. Its followers may apply the split first, elect a leader of the child, and let that take
 * writes, while this node's own rows are still those from before; so nobody may read them here
 * meanwhile. Safe for any thread.
 */
public final class PendingCut {
    private final Map<RangeId, Key> cuts = new ConcurrentHashMap<>();

    /** The entry is about to be appended. */
    public void appended(LogEntry entry) {
        for (SubmittedCommand command : entry.commands()) {
            if (command.body() instanceof ReplicaCommand.Split split) {
                cuts.put(split.firstChildId(), split.firstCut());
            }
        }
    }

    /** The entry is applied, and the range's bounds are what it has made of them. */
    public void applied(LogEntry entry) {
        if (cuts.isEmpty()) {
            return;
        }
        for (SubmittedCommand command : entry.commands()) {
            if (command.body() instanceof ReplicaCommand.Split split) {
                cuts.remove(split.firstChildId());
            }
        }
    }

    /** All that was ever appended here is applied, or gone for good. */
    public void settled() {
        cuts.clear();
    }

    /** Whether there is one. */
    public boolean isAny() {
        return !cuts.isEmpty();
    }

    /** Whether some of the keys may be about to go; to be asked before the bounds are. */
    public boolean touches(KeyRange keys) {
        return isAny()
                && cuts.values().stream().anyMatch(cut -> cut.compareTo(keys.endExclusive()) < 0);
    }
}

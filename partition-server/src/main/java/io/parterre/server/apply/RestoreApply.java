package io.parterre.server.apply;

import io.parterre.entity.EntityCodec;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeySpace;
import io.parterre.server.command.ReplicaCommand.RestoreRows;
import io.parterre.server.command.ReplicaCommand.RestoredRow;
import java.util.Arrays;
import java.util.Optional;

/**
 * Applies rows of a backup. A row is put if there is none under its key; an existing row is left as
 * it is. So a repeat changes nothing, and a client's later write is not undone. Entities keep their
 * timestamps and so their ETags; no timestamp up to the latest of them is given again.
 */
final class RestoreApply {
    private RestoreApply() {}

    static Outcome apply(RestoreRows command, Changes changes, RangeClock clock) {
        int there = 0;
        int kept = 0;
        long lastTicks = clock.lastTimestampTicks();
        for (RestoredRow row : command.rows()) {
            changes.reserve(changes.heldBytes() + row.key().length() + (long) row.value().length);
            Optional<byte[]> stored = changes.get(row.key());
            if (stored.isEmpty()) {
                changes.put(row.key(), row.value());
                if (KeyCodec.scopeOf(row.key()).space() == KeySpace.ENTITY) {
                    lastTicks = Math.max(lastTicks, EntityCodec.timestampTicks(row.value()));
                }
            }
            if (stored.isEmpty() || Arrays.equals(stored.get(), row.value())) {
                there++;
            } else {
                kept++;
            }
        }
        clock.used(lastTicks);
        return new Outcome.RowsRestored(there, kept);
    }
}

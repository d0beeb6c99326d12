package io.parterre.server.apply;

import io.parterre.entity.EntityCodec;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeySpace;
import io.parterre.server.command.ReplicaCommand.RestoreRows;
import io.parterre.server.command.ReplicaCommand.RestoredRow;
import java.util.Arrays;
import java.util.Optional;

/**
 * Rows of a backup: each is put if there is none under its key, and left as it is if there is, so a
 * repeat changes nothing and a client's later write is not undone. Entities keep the timestamps
 * that they had, and so their ETags; no timestamp up to the latest of them is given again.
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

package io.parterre.server.command;

import io.parterre.directory.ServicePropertiesCodec;
import io.parterre.directory.TableRecordCodec;
import io.parterre.entity.EntityCodec;
import io.parterre.entity.EntityPage;
import io.parterre.entity.EntitySize;
import io.parterre.key.EntityKey;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.server.command.ReplicaCommand.RestoreRows;
import io.parterre.server.command.ReplicaCommand.RestoredRow;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads rows of a backup. Refuses a row that could not be read afterwards, because such a row in
 * the log would stop every replica. Stateless; safe for any thread.
 */
final class RestoredRows {
    private RestoredRows() {}

    static RestoreRows decode(io.parterre.proto.range.RestoreRows message) {
        List<RestoredRow> rows = new ArrayList<>();
        EntityPage.forEachRow(
                MessageBytes.of(message.getRows()),
                (key, value) -> {
                    requireReadable(key, value);
                    rows.add(new RestoredRow(key, value));
                });
        return new RestoreRows(rows);
    }

    private static void requireReadable(Key key, byte[] value) {
        EntityKey keys = KeyCodec.decode(key);
        switch (keys.scope().space()) {
            case ENTITY -> EntitySize.propertyCount(EntityCodec.blockOf(value));
            case DIRECTORY -> requireReadable(key, keys.scope().objectId(), value);
            case QUEUE_MESSAGE, BLOB ->
                    throw new IllegalArgumentException(
                            "row: " + key + " (expected: of an entity or a directory)");
        }
    }

    private static void requireReadable(Key key, ObjectId kind, byte[] value) {
        if (kind.equals(ObjectId.TABLES)) {
            TableRecordCodec.decode(value);
        } else if (kind.equals(ObjectId.SERVICE_PROPERTIES)) {
            ServicePropertiesCodec.decode(value);
        } else {
            throw new IllegalArgumentException("row: " + key + " (expected: of a known kind)");
        }
    }
}

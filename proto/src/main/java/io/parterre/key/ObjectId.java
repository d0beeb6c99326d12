package io.parterre.key;

import io.parterre.check.Require;

/**
 * Id of a table, queue or container, assigned by the partition manager and never reused, so that a
 * re-created table starts empty. In the directory space it is the kind of the listed objects.
 */
public record ObjectId(long value) {
    /** Object id of the directory that lists an account's tables. */
    public static final ObjectId TABLES = new ObjectId(1);

    /**
     * Object id of the settings of an account's services. Ids up to 15 are for kinds of listed
     * objects.
     */
    public static final ObjectId SERVICE_PROPERTIES = new ObjectId(16);

    public ObjectId {
        Require.positive("objectId", value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}

package io.parterre.directory;

import io.parterre.key.ObjectId;

/**
 * A table as the directory keeps it, under its name in lower case.
 *
 * @param name the name in the case of its creation
 * @param tableId scope of its entities; a table created again under the same name has another
 * @param state deleting until every range that may hold entities of it has fenced its scope
 */
public record TableRecord(String name, ObjectId tableId, State state) {
    /** Life of a table in the directory; a deleted table has no row. */
    public enum State {
        LIVE,
        DELETING
    }

    public TableRecord deleting() {
        return new TableRecord(name, tableId, State.DELETING);
    }
}

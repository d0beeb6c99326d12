package io.parterre.directory;

import io.parterre.key.ObjectId;
import java.util.List;

/**
 * A table in its account's directory, under its name in lower case.
 *
 * @param name name in the case of its creation
 * @param tableId scope of its entities; a table created again under the same name has another id
 * @param state deleting until every range that may hold its entities has fenced its scope
 * @param policies stored access policies, in the order in which they were given
 */
public record TableRecord(String name, ObjectId tableId, State state, List<AccessPolicy> policies) {
    /** State of a table in the directory; a deleted table has no row. */
    public enum State {
        LIVE,
        DELETING
    }

    public TableRecord {
        policies = List.copyOf(policies);
    }

    /** Makes a table without policies. */
    public TableRecord(String name, ObjectId tableId, State state) {
        this(name, tableId, state, List.of());
    }

    /**
     * Returns this table in state deleting, without policies, so that they grant nothing any more.
     */
    public TableRecord deleting() {
        return new TableRecord(name, tableId, State.DELETING);
    }

    /** Returns this table with these policies in place of its own. */
    public TableRecord with(List<AccessPolicy> others) {
        return new TableRecord(name, tableId, state, others);
    }
}

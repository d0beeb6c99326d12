package io.parterre.directory;

import io.parterre.key.ObjectId;
import java.util.List;

/**
 * A table as the directory keeps it, under its name in lower case.
 *
 * @param name the name in the case of its creation
 * @param tableId scope of its entities; a table created again under the same name has another
 * @param state deleting until every range that may hold entities of it has fenced its scope
 * @param policies stored access policies, in the order in which they were given
 */
public record TableRecord(String name, ObjectId tableId, State state, List<AccessPolicy> policies) {
    /** Life of a table in the directory; a deleted table has no row. */
    public enum State {
        LIVE,
        DELETING
    }

    public TableRecord {
        policies = List.copyOf(policies);
    }

    /** A table without policies. */
    public TableRecord(String name, ObjectId tableId, State state) {
        this(name, tableId, state, List.of());
    }

    /** The same on its way out: nothing is granted by its policies any more. */
    public TableRecord deleting() {
        return new TableRecord(name, tableId, State.DELETING);
    }

    /** The same with these policies in place of its own. */
    public TableRecord with(List<AccessPolicy> others) {
        return new TableRecord(name, tableId, state, others);
    }
}

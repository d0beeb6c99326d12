package io.parterre.frontend.table;

/** The resource that a path names. Source: docs/protocol.md 1.2. */
public sealed interface Resource {
    <R> R match(Cases<R> cases);

    /** Returns the table of the resource, as the path spells it; empty string if none. */
    default String table() {
        return "";
    }

    /** One method per kind of resource. */
    interface Cases<R> {
        R service();

        R tables();

        R table(Table table);

        R entities(Entities entities);

        R entity(OneEntity entity);

        R below(BelowTable below);

        R batch();

        R metadata();
    }

    /** {@code /}. */
    record Service() implements Resource {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.service();
        }
    }

    /** {@code /Tables}. */
    record Tables() implements Resource {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.tables();
        }
    }

    /** {@code /Tables('name')}. */
    record Table(String table) implements Resource {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.table(this);
        }
    }

    /** {@code /table} or {@code /table()}. */
    record Entities(String table) implements Resource {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.entities(this);
        }
    }

    /** {@code /table(PartitionKey='..',RowKey='..')}. */
    record OneEntity(String table, String partitionKey, String rowKey) implements Resource {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.entity(this);
        }
    }

    /**
     * {@code /table/something}: sent by a client whose address of the account ends in the name of a
     * table.
     *
     * @param keys number of keys at the end of the path
     */
    record BelowTable(String table, int keys) implements Resource {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.below(this);
        }
    }

    /** {@code /$batch}. */
    record Batch() implements Resource {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.batch();
        }
    }

    /** {@code /$metadata}. */
    record Metadata() implements Resource {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.metadata();
        }
    }
}

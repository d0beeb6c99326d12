package io.parterre.server.apply;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import java.util.List;
import java.util.function.Supplier;

/** A change of rows that follows from a log entry. The order of mutations matters. */
public sealed interface Mutation {
    <R> R match(Cases<R> cases);

    /** One method per kind of mutation. */
    interface Cases<R> {
        R put(Put put);

        R putLater(PutLater put);

        R delete(Delete delete);

        R deleteRange(DeleteRange deleteRange);

        R putOwn(PutOwn putOwn);

        R deleteOwn(DeleteOwn deleteOwn);

        R putRange(PutRange putRange);

        R putChild(PutChild putChild);

        R absorbNeighbour(AbsorbNeighbour absorbNeighbour);
    }

    /** Stores a row. */
    record Put(Key key, byte[] value) implements Mutation {
        long sizeBytes() {
            return (long) key.length() + value.length;
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.put(this);
        }
    }

    /**
     * Stores a row that is made while it is written, because all rows written with it would be too
     * much for the heap.
     *
     * @param making makes the value from the row as it is stored before the slice is written
     * @param sizeBytes size of key and value
     */
    record PutLater(Key key, Supplier<byte[]> making, long sizeBytes) implements Mutation {
        /** Returns the same mutation with its value made now. */
        public Put now() {
            return new Put(key, making.get());
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.putLater(this);
        }
    }

    /** Removes a row. */
    record Delete(Key key) implements Mutation {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.delete(this);
        }
    }

    /**
     * Removes every row of an interval.
     *
     * @param reclaimed whether files that hold nothing but this interval are dropped at once. Older
     *     rows that they covered in other files may then reappear, on one replica and not on
     *     another
     */
    record DeleteRange(KeyRange range, boolean reclaimed) implements Mutation {
        public DeleteRange(KeyRange range) {
            this(range, true);
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.deleteRange(this);
        }
    }

    /** Stores a row of the range's own. */
    record PutOwn(OwnKey key, byte[] value) implements Mutation {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.putOwn(this);
        }
    }

    /** Removes a row of the range's own. */
    record DeleteOwn(OwnKey key) implements Mutation {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.deleteOwn(this);
        }
    }

    /** Stores the range as it is from here on. */
    record PutRange(HostedRange range) implements Mutation {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.putRange(this);
        }
    }

    /**
     * Stores a child that a split of this range creates. The child's rows are in the store already.
     *
     * @param own the child's first own rows
     */
    record PutChild(HostedRange range, List<OwnRow> own) implements Mutation {
        public PutChild {
            own = List.copyOf(own);
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.putChild(this);
        }
    }

    /**
     * Ends the absorbed neighbour, whose rows belong to this range from here on. What the neighbour
     * remembered is among this range's own rows already.
     *
     * @param range the neighbour in its last state
     */
    record AbsorbNeighbour(HostedRange range) implements Mutation {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.absorbNeighbour(this);
        }
    }
}

package io.parterre.server.apply;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import java.util.List;

/** A change of rows that follows from a log entry; the order of several matters. */
public sealed interface Mutation {
    <R> R match(Cases<R> cases);

    /** One method per kind of mutation. */
    interface Cases<R> {
        R put(Put put);

        R delete(Delete delete);

        R deleteRange(DeleteRange deleteRange);

        R putOwn(PutOwn putOwn);

        R deleteOwn(DeleteOwn deleteOwn);

        R putRange(PutRange putRange);

        R putChild(PutChild putChild);

        R takeIn(TakeIn takeIn);
    }

    /** Stores a row. */
    record Put(Key key, byte[] value) implements Mutation {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.put(this);
        }
    }

    /** Removes a row. */
    record Delete(Key key) implements Mutation {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.delete(this);
        }
    }

    /** Removes every row of an interval. */
    record DeleteRange(KeyRange range) implements Mutation {
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

    /** Stores what the range is from here on. */
    record PutRange(HostedRange range) implements Mutation {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.putRange(this);
        }
    }

    /**
     * Stores a range that begins where this one ends from here on; its rows are there already.
     *
     * @param own what it remembers to begin with
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
     * Ends a neighbour whose rows are this range's from here on; what it remembered is among this
     * range's own rows already.
     *
     * @param range as it was last
     */
    record TakeIn(HostedRange range) implements Mutation {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.takeIn(this);
        }
    }
}

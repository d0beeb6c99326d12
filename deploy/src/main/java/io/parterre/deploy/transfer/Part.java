package io.parterre.deploy.transfer;

import java.util.Optional;

/**
 * What one thread transfers in order, and how far it is.
 *
 * @param id unique in its transfer
 * @param from first partition key, or a file
 * @param to partition key at which it ends, or a piece of the file; empty: no end, or all of it
 * @param position where its reader goes on; empty: at its beginning
 * @param writtenBytes of the file that it is written to; 0 where it goes to a table
 * @param entities that it has transferred
 * @param done whether nothing is left of it
 */
record Part(
        int id,
        String from,
        String to,
        Optional<String> position,
        long writtenBytes,
        long entities,
        boolean done) {
    /** One that is not begun. */
    static Part fresh(int id, String from, String to) {
        return new Part(id, from, to, Optional.empty(), 0, 0, false);
    }

    Part endingAt(String end) {
        return new Part(id, from, end, position, writtenBytes, entities, done);
    }

    /**
     * After another chunk.
     *
     * @param next empty: that was the last
     */
    Part after(Optional<String> next, long bytes, int more) {
        return new Part(
                id, from, to, next.or(() -> position), bytes, entities + more, next.isEmpty());
    }
}

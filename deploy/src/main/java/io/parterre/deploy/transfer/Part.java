package io.parterre.deploy.transfer;

import java.util.Optional;

/**
 * A part of a transfer, which one thread transfers in order, with its progress.
 *
 * @param id unique in its transfer
 * @param from first partition key, or a file
 * @param to partition key at which the part ends, or a piece of the file; empty string: no end, or
 *     the whole file
 * @param position where the part's reader continues; empty: at the beginning
 * @param writtenBytes bytes written to the part's file; 0 if the part goes to a table
 * @param entities number of transferred entities
 * @param done whether the part is complete
 */
record Part(
        int id,
        String from,
        String to,
        Optional<String> position,
        long writtenBytes,
        long entities,
        boolean done) {
    /** Returns a part that is not begun. */
    static Part fresh(int id, String from, String to) {
        return new Part(id, from, to, Optional.empty(), 0, 0, false);
    }

    Part endingAt(String end) {
        return new Part(id, from, end, position, writtenBytes, entities, done);
    }

    /**
     * Returns the part after another chunk.
     *
     * @param next empty: the chunk was the last
     */
    Part after(Optional<String> next, long bytes, int more) {
        return new Part(
                id, from, to, next.or(() -> position), bytes, entities + more, next.isEmpty());
    }
}

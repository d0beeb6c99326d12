package io.parterre.deploy.exercise;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of the written entities: for each the last acknowledged version and the last sent
 * one. A read must return a version between the two. Pure decisions without I/O. Thread-safe; each
 * key has one writer.
 *
 * <p>A key whose write was sent more than once, or was not acknowledged, is closed: it gets no
 * further version, because a late copy of this write would look like a lost one.
 */
final class Ledger {
    private record State(long acknowledged, long sent, boolean closed) {
        static final State NEW = new State(0, 0, false);
    }

    private final Map<EntityKey, State> states = new HashMap<>();

    /**
     * Applies a line of {@link LedgerLine}.
     *
     * @throws IllegalArgumentException if the line contradicts those before it
     */
    synchronized void apply(LedgerLine line) {
        State before = states.getOrDefault(line.key(), State.NEW);
        long version = line.version();
        State after =
                switch (line.kind()) {
                    case SENT -> {
                        expect(!before.closed() && version == before.sent() + 1, line, before);
                        yield new State(before.acknowledged(), version, false);
                    }
                    case ACKNOWLEDGED -> {
                        expect(version == before.sent(), line, before);
                        yield new State(version, version, before.closed());
                    }
                    case CLOSED -> {
                        expect(version == before.sent(), line, before);
                        yield new State(before.acknowledged(), version, true);
                    }
                };
        states.put(line.key(), after);
    }

    /** Returns the next version of a key. */
    synchronized long nextVersion(EntityKey key) {
        return states.getOrDefault(key, State.NEW).sent() + 1;
    }

    /**
     * Returns what is wrong with a read by the key's own writer, or by any reader once all writers
     * have ended; empty if nothing is.
     *
     * @param found version of the entity; 0 if there is none
     */
    synchronized Optional<String> contradiction(EntityKey key, long found) {
        State state = states.getOrDefault(key, State.NEW);
        if (found >= state.acknowledged() && found <= state.sent()) {
            return Optional.empty();
        }
        return Optional.of(
                key
                        + ": "
                        + (found == 0 ? "no entity" : "version " + found)
                        + " (expected: "
                        + state.acknowledged()
                        + (state.sent() == state.acknowledged() ? "" : " to " + state.sent())
                        + ")");
    }

    /** Returns all keys that were ever sent. */
    synchronized List<EntityKey> keys() {
        return List.copyOf(states.keySet());
    }

    private static void expect(boolean condition, LedgerLine line, State before) {
        if (!condition) {
            throw new IllegalArgumentException(
                    line.text()
                            + " after version "
                            + before.sent()
                            + (before.closed() ? ", closed" : ""));
        }
    }
}

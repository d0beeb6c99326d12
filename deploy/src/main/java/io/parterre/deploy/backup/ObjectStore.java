package io.parterre.deploy.backup;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Objects by name. Names consist of letters, digits, hyphens, underscores and slashes. Thread-safe;
 * calls block.
 */
public interface ObjectStore extends AutoCloseable {
    /**
     * Writes or replaces an object. A reader gets all of it or the previous one, also after a
     * crash.
     */
    void put(String name, byte[] bytes) throws IOException;

    /** Reads an object; returns empty if there is none. */
    Optional<byte[]> get(String name) throws IOException;

    /** Reads a part of an object; returns empty if there is none, or if it is too short. */
    Optional<byte[]> getPart(String name, long offset, int length) throws IOException;

    boolean has(String name) throws IOException;

    /** Returns the names with this prefix, ascending. */
    List<String> list(String prefix) throws IOException;

    /** Removes an object, if it exists. */
    void delete(String name) throws IOException;

    @Override
    void close();
}

package io.parterre.deploy.backup;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Objects by name. Names consist of letters, digits, hyphens, underscores and slashes. Safe for any
 * thread; the caller's thread waits.
 */
public interface ObjectStore extends AutoCloseable {
    /** Writes an object, or replaces it: a reader gets all of it, also after a crash. */
    void put(String name, byte[] bytes) throws IOException;

    /** Reads an object; empty: there is none. */
    Optional<byte[]> get(String name) throws IOException;

    /** Reads a part of an object; empty: there is none, or it ends before. */
    Optional<byte[]> getPart(String name, long offset, int length) throws IOException;

    boolean has(String name) throws IOException;

    /** Names that begin like this, ascending. */
    List<String> list(String prefix) throws IOException;

    /** Removes an object, if there is one. */
    void delete(String name) throws IOException;

    @Override
    void close();
}

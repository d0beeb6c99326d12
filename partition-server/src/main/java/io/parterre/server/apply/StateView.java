package io.parterre.server.apply;

import io.parterre.key.Key;
import java.util.Optional;

/** The rows of a range as seen by a command. */
public interface StateView {
    /** Returns the stored value, which callers must not change; empty if there is none. */
    Optional<byte[]> get(Key key);
}

package io.parterre.server.apply;

import io.parterre.key.Key;
import java.util.Optional;

/** The rows of a range as they stand before a command. */
public interface StateView {
    /** The stored value, not to be changed. */
    Optional<byte[]> get(Key key);
}

package io.parterre.directory;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A stored access policy of a table: signatures that name it get from it what they do not say
 * themselves. Source: docs/protocol.md 3.10.
 *
 * @param id what signatures call it, compared with case; a stored one has 1 to 64 characters
 * @param startTicks when access begins, see {@link io.parterre.entity.Ticks}; empty: not set here
 * @param expiryTicks when access ends; empty: not set here
 * @param permissions letters of {@code raud}; empty: not set here
 */
public record AccessPolicy(
        String id,
        OptionalLong startTicks,
        OptionalLong expiryTicks,
        Optional<String> permissions) {
    /** Policies of one table at most. */
    public static final int POLICIES_MAX = 5;

    /** Characters of an id at most. */
    public static final int ID_CHARS_MAX = 64;

    /** Whether it says nothing: then it is listed as a bare id. */
    public boolean isEmpty() {
        return startTicks.isEmpty() && expiryTicks.isEmpty() && permissions.isEmpty();
    }
}

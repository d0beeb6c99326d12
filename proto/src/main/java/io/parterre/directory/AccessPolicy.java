package io.parterre.directory;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A stored access policy of a table. A signature that names a policy takes from it the fields that
 * the signature does not state itself. Source: docs/protocol.md 3.10.
 *
 * @param id id in signatures, case-sensitive; a stored one has 1 to 64 characters
 * @param startTicks when access begins, see {@link io.parterre.entity.Ticks}; empty: not set here
 * @param expiryTicks when access ends; empty: not set here
 * @param permissions letters of {@code raud}; empty: not set here
 */
public record AccessPolicy(
        String id,
        OptionalLong startTicks,
        OptionalLong expiryTicks,
        Optional<String> permissions) {
    /** Largest number of policies of one table. */
    public static final int POLICIES_MAX = 5;

    /** Largest number of characters of an id. */
    public static final int ID_CHARS_MAX = 64;

    /** Returns whether the policy sets nothing; it is then listed as a bare id. */
    public boolean isEmpty() {
        return startTicks.isEmpty() && expiryTicks.isEmpty() && permissions.isEmpty();
    }
}

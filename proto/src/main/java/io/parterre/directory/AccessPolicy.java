package io.parterre.directory;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A stored access policy of a table: what tokens that name it may do, unless they say it
 * themselves. Source: Table service protocol reference, sections 3.10 and 8.5.
 *
 * @param id compared with case
 * @param startTicks first moment it holds, see {@link io.parterre.entity.Ticks}; empty: the token
 *     says, or there is none
 * @param expiryTicks first moment it does not hold any more; empty: the token says
 * @param permissions letters of {@code raud}; empty: the token says
 */
public record AccessPolicy(
        String id,
        OptionalLong startTicks,
        OptionalLong expiryTicks,
        Optional<String> permissions) {}

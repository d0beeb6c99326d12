package io.parterre.manager.lead;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What a node says of its clock.
 *
 * @param says as it reported; empty: it does not tell
 * @param toldAhead how far ahead a manager has told it that it is; zero: no such thing
 */
public record NodeClock(Optional<Instant> says, Duration toldAhead) {
    /** Of a node that tells nothing. */
    public static final NodeClock SILENT = new NodeClock(Optional.empty(), Duration.ZERO);
}

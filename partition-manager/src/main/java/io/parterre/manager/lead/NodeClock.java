package io.parterre.manager.lead;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What a node reports of its clock.
 *
 * @param says the reported time; empty if the node reports none
 * @param toldAhead how far ahead the clock is by the last verdict of a manager; zero if there is
 *     none
 */
public record NodeClock(Optional<Instant> says, Duration toldAhead) {
    /** The value for a node that reports no clock. */
    public static final NodeClock SILENT = new NodeClock(Optional.empty(), Duration.ZERO);
}

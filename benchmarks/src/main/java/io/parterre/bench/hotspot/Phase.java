package io.parterre.bench.hotspot;

import java.util.Optional;

/**
 * A part of the run in which one thing is offered. Times are milliseconds since the run began.
 *
 * @param server that comes to the cluster, or back to it, and since when; empty: none
 */
record Phase(
        PhaseKind kind,
        Offer offer,
        long fromMillis,
        long toMillis,
        Optional<String> server,
        long serverSinceMillis) {
    boolean contains(long millis) {
        return millis >= fromMillis && millis < toMillis;
    }
}

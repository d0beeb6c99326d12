package io.parterre.bench.hotspot;

import java.util.Optional;

/**
 * A part of the run with one offered load. Times are milliseconds since the run began.
 *
 * @param server server that joins the cluster, or returns to it; empty if none does
 * @param serverSinceMillis when the server joined or returned
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

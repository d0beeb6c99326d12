package io.parterre.frontend.client;

/**
 * When a manager last vouched for the map and accounts held here: it answered a question that was
 * asked then, and named a version that is held. Immutable.
 *
 * @param nanos time of the question
 * @param awaitedVersion version that a later answer named and that is not held yet; 0: none
 * @param awaitedNanos time of the question that it answers
 */
record Vouched(long nanos, long awaitedVersion, long awaitedNanos) {
    static Vouched at(long nanos) {
        return new Vouched(nanos, 0, 0);
    }

    /**
     * A manager has answered.
     *
     * @param askedNanos when it was asked: what it knew then is what counts
     * @param named version of its map
     * @param held version held now
     */
    Vouched answered(long askedNanos, long named, long held) {
        return new Vouched(nanos, named, askedNanos).holding(held);
    }

    /** This version is held now. */
    Vouched holding(long held) {
        return awaitedVersion == 0 || held < awaitedVersion
                ? this
                : at(awaitedNanos - nanos > 0 ? awaitedNanos : nanos);
    }
}

package io.parterre.frontend.client;

/**
 * When a manager last vouched for the map and accounts held here: the manager answered a question
 * asked at that time and named a version that is held. Immutable.
 *
 * @param nanos monotonic time of the question
 * @param awaitedVersion version that a later answer named and that is not held yet; 0 if none
 * @param awaitedNanos time of the question whose answer named {@code awaitedVersion}
 */
record Vouched(long nanos, long awaitedVersion, long awaitedNanos) {
    static Vouched at(long nanos) {
        return new Vouched(nanos, 0, 0);
    }

    /**
     * Returns the state after a manager's answer.
     *
     * @param askedNanos when the manager was asked; its knowledge at that time counts
     * @param named version of the manager's map
     * @param held version held now
     */
    Vouched answered(long askedNanos, long named, long held) {
        return new Vouched(nanos, named, askedNanos).holding(held);
    }

    /** Returns the state once this version is held. */
    Vouched holding(long held) {
        return awaitedVersion == 0 || held < awaitedVersion
                ? this
                : at(awaitedNanos - nanos > 0 ? awaitedNanos : nanos);
    }
}

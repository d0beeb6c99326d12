package io.parterre.server.load;

/** Distribution of the load over a range's keys. */
public enum LoadShape {
    /** Too few samples to tell. */
    UNKNOWN,
    SPREAD,
    /** Most of the load is on one partition, which no split point can divide. */
    ONE_PARTITION,
    /** The load moves to ever later keys. The part with the range's end gets all of it. */
    MOVING_TAIL,
    /**
     * The load moves to ever earlier keys, so it stays where the range begins. No split point takes
     * any of it away.
     */
    MOVING_HEAD
}

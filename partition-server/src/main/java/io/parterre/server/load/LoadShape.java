package io.parterre.server.load;

/** Where in a range the load falls. */
public enum LoadShape {
    /** Too few samples to tell. */
    UNKNOWN,
    SPREAD,
    /** Most of it falls on one partition, which no split point can divide. */
    ONE_PARTITION,
    /** It falls on ever later keys: whichever part has the range's end has it all. */
    MOVING_TAIL,
    /**
     * It falls on ever earlier keys, so it stays where the range begins: no split point takes any
     * away.
     */
    MOVING_HEAD
}

package io.parterre.manager.plan.view;

/**
 * Why a node that is up may lead no range and to get nothing new, whatever operators want of it.
 * Gravest first.
 */
public enum NodeFault {
    /** Its disk does not answer: it is as good as silent, but that it can give leaderships away. */
    DISK_STALLED,
    /** Its clock is far ahead of the others': it would mark what it writes with that time. */
    CLOCK_AHEAD
}

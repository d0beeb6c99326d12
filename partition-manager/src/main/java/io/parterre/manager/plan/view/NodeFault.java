package io.parterre.manager.plan.view;

/**
 * The fault for which a node that is up must not lead and gets nothing new, independent of
 * operators. Gravest first.
 */
public enum NodeFault {
    /**
     * The node's disk does not answer. The node counts as silent, except that it can still transfer
     * leadership.
     */
    DISK_STALLED,
    /** The node's clock is far ahead of the others' and would stamp writes with that time. */
    CLOCK_AHEAD
}

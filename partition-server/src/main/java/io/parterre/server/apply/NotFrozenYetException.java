package io.parterre.server.apply;

import io.parterre.range.RangeDescriptor;

/**
 * Thrown if an entry absorbs a neighbour whose replica on this node is not frozen yet, so that the
 * entry has to be applied later. An exception, because the range state that the entry has partly
 * changed must be discarded.
 */
public final class NotFrozenYetException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient RangeDescriptor neighbour;
    private final long freezeIndex;

    /**
     * Creates the exception.
     *
     * @param neighbour descriptor of the neighbour once it is frozen
     * @param freezeIndex log index of the neighbour's freeze: it is frozen once its log is applied
     *     up to there
     */
    public NotFrozenYetException(RangeDescriptor neighbour, long freezeIndex) {
        super("neighbour " + neighbour + " (expected: frozen)", null, false, false);
        this.neighbour = neighbour;
        this.freezeIndex = freezeIndex;
    }

    public RangeDescriptor neighbour() {
        return neighbour;
    }

    public long freezeIndex() {
        return freezeIndex;
    }
}

package io.parterre.server.apply;

import io.parterre.range.RangeDescriptor;

/**
 * An entry absorbs a neighbour whose replica on this node is not frozen yet: the entry is to be
 * applied later. An exception, for the state that was changed up to there is worth nothing.
 */
public final class NotFrozenYetException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient RangeDescriptor neighbour;
    private final long freezeIndex;

    /**
     * Of a neighbour.
     *
     * @param neighbour as it has to be frozen
     * @param freezeIndex it is frozen once its log is applied up to there
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

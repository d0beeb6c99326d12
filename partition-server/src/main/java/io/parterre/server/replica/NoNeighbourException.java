package io.parterre.server.replica;

/**
 * Thrown if a range absorbs its neighbour and this node does not have the neighbour's remembered
 * state. The replica cannot continue from its log and needs a copy.
 */
public final class NoNeighbourException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    public NoNeighbourException(String message) {
        super(message);
    }
}

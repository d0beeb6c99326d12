package io.parterre.server.replica;

/**
 * A range absorbs its neighbour, and this node has not got what that remembered: the replica cannot
 * go on and has to be brought as a copy.
 */
public final class NoNeighbourException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    public NoNeighbourException(String message) {
        super(message);
    }
}

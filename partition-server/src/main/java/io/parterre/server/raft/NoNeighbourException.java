package io.parterre.server.raft;

/**
 * A range absorbs its neighbour, and this node has not got what that remembered: the replica cannot
 * go on and has to be brought as a copy.
 */
final class NoNeighbourException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    NoNeighbourException(String message) {
        super(message);
    }
}

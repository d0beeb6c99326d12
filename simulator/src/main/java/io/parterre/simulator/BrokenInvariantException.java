package io.parterre.simulator;

/** A simulated cluster broke an invariant that must hold whatever fails. */
public final class BrokenInvariantException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BrokenInvariantException(String what) {
        super(what);
    }
}

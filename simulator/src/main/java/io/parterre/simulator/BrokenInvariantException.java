package io.parterre.simulator;

/** Something happened in a simulated cluster that must never happen, whatever fails. */
public final class BrokenInvariantException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BrokenInvariantException(String what) {
        super(what);
    }
}

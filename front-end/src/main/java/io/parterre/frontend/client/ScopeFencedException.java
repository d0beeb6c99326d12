package io.parterre.frontend.client;

/** The table that a request was for is gone, as its range knows. Stays within this package. */
final class ScopeFencedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ScopeFencedException() {
        super("the scope is fenced", null, false, false);
    }
}

package io.parterre.frontend.client;

/**
 * The range of a request knows that the request's table is deleted. Thrown only within this
 * package.
 */
final class ScopeFencedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ScopeFencedException() {
        super("the scope is fenced", null, false, false);
    }
}

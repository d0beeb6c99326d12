package io.parterre.release;

/**
 * What was read is of a newer release: to go on without all of it would be to misread it. Nothing
 * is wrong with it, and the release that wrote it can read it.
 */
public final class NewerReleaseException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private static final int CAUSES_MAX = 20;

    public NewerReleaseException(String message) {
        super(message);
    }

    /** Whether this is why something failed. */
    public static boolean isCauseOf(Throwable failure) {
        Throwable each = failure;
        for (int i = 0; i < CAUSES_MAX && each != null; i++) {
            if (each instanceof NewerReleaseException) {
                return true;
            }
            each = each.getCause();
        }
        return false;
    }
}

package io.parterre.release;

/**
 * Thrown if data of a newer release was read: ignoring the unknown part would misread it. The data
 * is valid, and the release that wrote it can read it.
 */
public final class NewerReleaseException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private static final int CAUSES_MAX = 20;

    public NewerReleaseException(String message) {
        super(message);
    }

    /** Returns whether such an exception is the cause of a failure. */
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

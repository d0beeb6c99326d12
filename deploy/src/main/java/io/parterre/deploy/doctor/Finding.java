package io.parterre.deploy.doctor;

/**
 * What a check has found.
 *
 * @param subject what was looked at, in a word
 * @param text what is so, and what to do if that is not well
 */
public record Finding(Level level, String subject, String text) {
    /** How bad it is. */
    public enum Level {
        OK,
        /** It may become a problem, or explains one. */
        WARNING,
        /** A process does not start, or does not serve as it should. */
        PROBLEM
    }

    static Finding ok(String subject, String text) {
        return new Finding(Level.OK, subject, text);
    }

    static Finding warning(String subject, String text) {
        return new Finding(Level.WARNING, subject, text);
    }

    public static Finding problem(String subject, String text) {
        return new Finding(Level.PROBLEM, subject, text);
    }
}

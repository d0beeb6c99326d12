package io.parterre.deploy.doctor;

/**
 * Result of a check.
 *
 * @param subject what was checked, in a word
 * @param text what was found, and what to do if it is a problem
 */
public record Finding(Level level, String subject, String text) {
    /** Severity of a finding. */
    public enum Level {
        OK,
        /** The finding may become a problem, or explains one. */
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

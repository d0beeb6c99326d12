package io.parterre.deploy.config;

/** Keys of what is logged to the error stream. */
public record LogSection(Format format, Level level) {
    /** One line of text, or one JSON object a line. */
    public enum Format {
        TEXT,
        JSON
    }

    /** The least important that is still logged. */
    public enum Level {
        ERROR,
        WARN,
        INFO,
        DEBUG
    }

    static final LogSection DEFAULT = new LogSection(Format.TEXT, Level.INFO);
}

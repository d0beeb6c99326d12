package io.parterre.deploy.config;

/** Keys of the log on the error stream. */
public record LogSection(Format format, Level level) {
    /** Lines of text, or one JSON object per line. */
    public enum Format {
        TEXT,
        JSON
    }

    /** The least important level that is logged. */
    public enum Level {
        ERROR,
        WARN,
        INFO,
        DEBUG
    }

    static final LogSection DEFAULT = new LogSection(Format.TEXT, Level.INFO);
}

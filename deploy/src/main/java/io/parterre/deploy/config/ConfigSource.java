package io.parterre.deploy.config;

/**
 * Where a value came from. Flags win over the environment, that over the file, that over defaults.
 *
 * @param detail file, variable or flag; empty for a default
 */
record ConfigSource(Kind kind, String detail) {
    /** Strongest first. */
    enum Kind {
        FLAG,
        ENVIRONMENT,
        FILE,
        DEFAULT
    }

    static final ConfigSource DEFAULT = new ConfigSource(Kind.DEFAULT, "");

    @Override
    public String toString() {
        return switch (kind) {
            case FLAG -> "flag " + detail;
            case ENVIRONMENT -> "environment " + detail;
            case FILE -> "file " + detail;
            case DEFAULT -> "default";
        };
    }
}

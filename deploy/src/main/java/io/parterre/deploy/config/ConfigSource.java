package io.parterre.deploy.config;

/**
 * Where a value came from. Flags win over the environment, that over the file, that over what the
 * launcher derives from the memory limit, and that over defaults.
 *
 * @param detail file, variable, flag or limit; empty for a default
 */
record ConfigSource(Kind kind, String detail) {
    /** Strongest first. */
    enum Kind {
        FLAG,
        ENVIRONMENT,
        FILE,
        MEMORY_LIMIT,
        DEFAULT
    }

    static final ConfigSource DEFAULT = new ConfigSource(Kind.DEFAULT, "");

    @Override
    public String toString() {
        return switch (kind) {
            case FLAG -> "flag " + detail;
            case ENVIRONMENT -> "environment " + detail;
            case FILE -> "file " + detail;
            case MEMORY_LIMIT -> "memory limit " + detail;
            case DEFAULT -> "default";
        };
    }
}

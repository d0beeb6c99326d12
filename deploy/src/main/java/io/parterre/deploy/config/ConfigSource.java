package io.parterre.deploy.config;

/**
 * Source of a value. Flags win over the environment, the environment over the file, the file over
 * what the launcher derives from the memory limit, and this over defaults.
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

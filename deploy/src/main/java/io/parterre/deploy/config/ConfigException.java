package io.parterre.deploy.config;

import java.util.List;

/** The configuration is invalid; lists all problems. */
public final class ConfigException extends Exception {
    private final List<String> problems;

    ConfigException(List<String> problems) {
        super("configuration: " + String.join("; ", problems));
        this.problems = List.copyOf(problems);
    }

    public List<String> problems() {
        return problems;
    }
}

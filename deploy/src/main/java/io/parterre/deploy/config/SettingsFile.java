package io.parterre.deploy.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Finds the settings file. Stateless; thread-safe. */
public final class SettingsFile {
    /**
     * Default places, of which the first existing one counts: the working directory, then the
     * machine's.
     */
    static final List<Path> PLACES =
            List.of(Path.of("parterre.yaml"), Path.of("/etc/parterre/parterre.yaml"));

    private SettingsFile() {}

    /**
     * Returns the file to read; empty if there is none.
     *
     * @param named file named by {@code --config}, whether or not it exists; null if none is named
     */
    public static Optional<Path> find(Path named) {
        return find(named, PLACES);
    }

    static Optional<Path> find(Path named, List<Path> places) {
        return named != null
                ? Optional.of(named)
                : places.stream().filter(Files::exists).findFirst();
    }
}

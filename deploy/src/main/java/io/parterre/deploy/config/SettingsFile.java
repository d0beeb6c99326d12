package io.parterre.deploy.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Which settings file is read. Stateless; safe for any thread. */
public final class SettingsFile {
    /** Where it is looked for, the first that is there: the folder of the start, the machine's. */
    static final List<Path> PLACES =
            List.of(Path.of("parterre.yaml"), Path.of("/etc/parterre/parterre.yaml"));

    private SettingsFile() {}

    /**
     * The file to read; empty: there is none.
     *
     * @param named by {@code --config}, whether or not it is there; null: not named
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

package io.parterre.deploy.backup;

import java.io.IOException;
import java.nio.file.Path;

/** Where a repository is, as operators write it. Stateless. */
public final class RepositoryPlace {
    private RepositoryPlace() {}

    /**
     * The store of objects.
     *
     * @param place a folder
     * @throws BackupException if it is malformed
     */
    public static ObjectStore open(String place) throws IOException {
        if (place.isBlank()) {
            throw BackupException.refused(
                    "repository: empty (expected: a folder)");
        }
        return new FolderStore(Path.of(place));
    }
}

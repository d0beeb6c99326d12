package io.parterre.deploy.backup;

import java.io.IOException;
import java.nio.file.Path;

/** The location of a repository, as operators write it. Stateless. */
public final class RepositoryPlace {
    private RepositoryPlace() {}

    /**
     * Opens the store of objects.
     *
     * @param place a folder, or {@code s3://BUCKET/PREFIX}
     * @throws BackupException if it is malformed
     */
    public static ObjectStore open(String place) throws IOException {
        if (place.isBlank()) {
            throw BackupException.refused(
                    "repository: empty (expected: a folder or s3://BUCKET/PREFIX)");
        }
        if (place.startsWith(S3Place.SCHEME)) {
            return new S3Store(S3Place.parse(place));
        }
        return new FolderStore(Path.of(place));
    }
}

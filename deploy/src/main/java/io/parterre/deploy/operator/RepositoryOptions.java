package io.parterre.deploy.operator;

import io.parterre.deploy.backup.BackupException;
import io.parterre.deploy.backup.Repository;
import io.parterre.deploy.backup.RepositoryKey;
import io.parterre.deploy.backup.RepositoryPlace;
import io.parterre.proto.backup.BackupManifest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options for the repository of backups, and its key. */
final class RepositoryOptions {
    @Option(
            names = "--repository",
            paramLabel = "PLACE",
            required = true,
            description = {
                "Where the backups are: a folder, or s3://BUCKET/PREFIX?endpoint=URL&region=NAME of"
                        + " a",
                "service that speaks the protocol of S3, with credentials as the AWS command line",
                "takes them (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, profiles)."
            })
    private String place;

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = {
                "File with 32 random bytes in Base64, by which all in the repository is encrypted.",
                "Given when the repository is made, and ever after; without it nothing can be read."
            })
    private Optional<Path> keyFile = Optional.empty();

    Repository open(boolean create) throws IOException {
        Optional<byte[]> key =
                keyFile.isPresent()
                        ? Optional.of(RepositoryKey.read(keyFile.get()))
                        : Optional.empty();
        return Repository.open(RepositoryPlace.open(place), key, create);
    }

    /** Returns the requested backup, or the newest complete one. */
    static String chosen(Repository repository, Optional<String> id) throws IOException {
        return id.isPresent()
                ? id.get()
                : repository
                        .newest()
                        .map(BackupManifest::getBackupId)
                        .orElseThrow(() -> BackupException.refused("there is no whole backup"));
    }
}

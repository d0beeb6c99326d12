package io.parterre.deploy.secret;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;

/** Checks who may read a file with a secret. Stateless; thread-safe. */
public final class KeyFileAccess {
    private KeyFileAccess() {}

    /**
     * Returns a warning if too many users may read or change the file; empty if not, or if the
     * permissions cannot be read. A group may read, as is usual where a container's user gets
     * secrets through its group.
     */
    public static Optional<String> warning(Path file) {
        Set<PosixFilePermission> permissions;
        try {
            permissions = Files.getPosixFilePermissions(file);
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.empty();
        }
        if (permissions.contains(PosixFilePermission.OTHERS_READ)) {
            return Optional.of(
                    file
                            + ": every user of this machine may read the key in it (expected: the"
                            + " owner, and at most a group: chmod 640 or 600)");
        }
        if (permissions.contains(PosixFilePermission.OTHERS_WRITE)
                || permissions.contains(PosixFilePermission.GROUP_WRITE)) {
            return Optional.of(
                    file
                            + ": others than its owner may change the key in it (expected: the"
                            + " owner alone: chmod 640 or 600)");
        }
        return Optional.empty();
    }
}

package io.parterre.deploy.secret;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;

/** Who may read a file with a secret. Stateless; safe for any thread. */
public final class KeyFileAccess {
    private KeyFileAccess() {}

    /**
     * What is wrong with who may read or change it; empty: nothing, or the file cannot be looked
     * at. A group may read, as it does where a container's user gets secrets by its group.
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

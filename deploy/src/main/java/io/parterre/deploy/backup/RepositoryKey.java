package io.parterre.deploy.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Base64;

/** The key of a repository, in a file of the operator. Stateless. */
public final class RepositoryKey {
    private RepositoryKey() {}

    /**
     * Reads a key.
     *
     * @throws BackupException if the file is missing, or has other contents; the message shows
     *     nothing of them
     */
    public static byte[] read(Path file) throws IOException {
        byte[] key;
        try {
            key = Base64.getDecoder().decode(Files.readString(file).strip());
        } catch (NoSuchFileException missing) {
            throw BackupException.refused(file + ": is missing");
        } catch (IllegalArgumentException notBase64) {
            key = new byte[0];
        }
        if (key.length != Seal.KEY_BYTES) {
            throw BackupException.refused(
                    file + ": no key (expected: " + Seal.KEY_BYTES + " bytes in Base64)");
        }
        return key;
    }
}

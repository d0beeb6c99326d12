package io.parterre.deploy.local;

import io.parterre.deploy.config.OperatorToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/** Files that only their owner can read, and the operators' token of a cluster. Stateless. */
final class TokenFile {
    private static final String NAME = "operator-token";
    private static final int TOKEN_BYTES = 32;

    private TokenFile() {}

    static Path in(Path folder) {
        return folder.resolve(NAME);
    }

    /** Creates a new token in the folder. */
    static OperatorToken make(Path folder) throws IOException {
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        OperatorToken token = OperatorToken.of(HexFormat.of().formatHex(random));
        write(in(folder), token.secret() + "\n");
        return token;
    }

    /** Returns the token of the folder; none if an earlier release has made the folder. */
    static OperatorToken read(Path folder) throws IOException {
        Path file = in(folder);
        return Files.exists(file)
                ? OperatorToken.of(Files.readString(file).strip())
                : OperatorToken.NONE;
    }

    /** Replaces a file by one that only its owner can read. */
    static void write(Path file, String text) throws IOException {
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] ownersAlone =
                posix
                        ? new FileAttribute<?>[] {
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rw-------"))
                        }
                        : new FileAttribute<?>[0];
        Files.deleteIfExists(file);
        Files.newByteChannel(
                        file,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        ownersAlone)
                .close();
        Files.writeString(file, text);
    }
}

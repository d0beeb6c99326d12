package io.parterre.deploy.backup;

import com.google.protobuf.InvalidProtocolBufferException;
import io.parterre.proto.backup.RestoreState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * The file that says what a restore has begun, above all under which numbers its tables are made.
 * Replaced as a whole.
 */
final class RestoreFile {
    private final Path file;

    RestoreFile(Path file) {
        this.file = file.toAbsolutePath();
    }

    Path path() {
        return file;
    }

    /** What was begun; empty: nothing. */
    Optional<RestoreState> read() throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            RestoreState state = RestoreState.parseFrom(Files.readAllBytes(file));
            if (state.getVersion() != Repository.VERSION) {
                throw BackupException.refused(file + ": is no file of a restore of this version");
            }
            return Optional.of(state);
        } catch (InvalidProtocolBufferException malformed) {
            throw BackupException.refused(file + ": is no file of a restore");
        }
    }

    void write(RestoreState state) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try (FileChannel out =
                FileChannel.open(
                        next,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            for (ByteBuffer left = ByteBuffer.wrap(state.toByteArray()); left.hasRemaining(); ) {
                out.write(left);
            }
            out.force(true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    void delete() throws IOException {
        Files.deleteIfExists(file);
    }
}

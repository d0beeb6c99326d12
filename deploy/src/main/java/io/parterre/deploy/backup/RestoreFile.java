package io.parterre.deploy.backup;

import com.google.protobuf.InvalidProtocolBufferException;
import io.parterre.file.DurableFiles;
import io.parterre.proto.backup.RestoreState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The file that records what a restore has begun, above all the ids of its new tables. Always
 * replaced as a whole.
 */
final class RestoreFile {
    private final Path file;

    RestoreFile(Path file) {
        this.file = file.toAbsolutePath();
    }

    Path path() {
        return file;
    }

    /** Returns what was begun; empty if nothing was. */
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

    /** Replaces the record, durably: when the method returns, the record survives a power loss. */
    void write(RestoreState state) throws IOException {
        DurableFiles.replace(file, state.toByteArray());
    }

    void delete() throws IOException {
        Files.deleteIfExists(file);
    }
}

package io.parterre.deploy.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes small files that are there after a crash or not, never half. */
final class SafeFile {
    private SafeFile() {}

    /** Where what is not whole yet lies. */
    static Path unfinished(Path file) {
        return file.resolveSibling(file.getFileName() + ".tmp");
    }

    static void write(Path file, String text) throws IOException {
        Path unfinished = unfinished(file);
        try (FileChannel out =
                FileChannel.open(
                        unfinished,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(UTF_8));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel entries = FileChannel.open(file.getParent(), StandardOpenOption.READ)) {
            entries.force(true);
        }
    }
}

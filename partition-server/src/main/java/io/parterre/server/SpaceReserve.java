package io.parterre.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/**
 * A file that takes room on the disk while there is plenty. Its deletion makes room for deletes,
 * logs and compactions when there is none. Confined to one thread.
 */
final class SpaceReserve {
    private static final int BLOCK_BYTES = 1 << 20;

    private final Path file;
    private final Path unfinished;

    SpaceReserve(Path folder) {
        this.file = folder.resolve("reserve");
        this.unfinished = folder.resolve("reserve.new");
    }

    /** Returns the size of the file; 0: there is none. */
    long bytes() throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException none) {
            return 0;
        }
    }

    /**
     * Makes the file, whole or not at all. The file is written with bytes that no file system
     * leaves out or compresses, and synced. Space that is only allocated may be missing when it is
     * needed.
     */
    void make(long bytes) throws IOException {
        try {
            write(bytes);
            Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    private void write(long bytes) throws IOException {
        byte[] block = new byte[BLOCK_BYTES];
        Random random = new Random(bytes);
        try (FileChannel out =
                FileChannel.open(
                        unfinished,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            for (long left = bytes; left > 0; left -= BLOCK_BYTES) {
                random.nextBytes(block);
                ByteBuffer rest = ByteBuffer.wrap(block, 0, (int) Math.min(left, BLOCK_BYTES));
                while (rest.hasRemaining()) {
                    out.write(rest);
                }
            }
            out.force(true);
        }
    }

    void giveBack() throws IOException {
        Files.deleteIfExists(file);
    }
}

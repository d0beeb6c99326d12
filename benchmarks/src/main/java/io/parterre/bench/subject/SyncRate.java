package io.parterre.bench.subject;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * How many times a second this disk makes 4 KiB durable ({@code fdatasync}), one after the other:
 * the limit of single inserts, and otherwise of groups of inserts. The file is written beforehand,
 * like a log, so that no metadata must be synced with the bytes.
 */
public final class SyncRate {
    private static final int BLOCK_BYTES = 4096;
    private static final int FILE_BLOCKS = 4096;

    private SyncRate() {}

    /** Measures for this time in a file of 16 MiB, which is removed afterwards. */
    public static double perSecond(Path folder, Duration time) throws IOException {
        Files.createDirectories(folder);
        Path file = Files.createTempFile(folder, "sync", ".bin");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
            for (int i = 0; i < FILE_BLOCKS; i++) {
                channel.write(block.clear(), (long) i * BLOCK_BYTES);
            }
            channel.force(true);
            long startNanos = System.nanoTime();
            long elapsedNanos;
            long count = 0;
            do {
                channel.write(block.clear(), (count % FILE_BLOCKS) * BLOCK_BYTES);
                channel.force(false);
                count++;
                elapsedNanos = System.nanoTime() - startNanos;
            } while (elapsedNanos < time.toNanos());
            return count * 1e9 / elapsedNanos;
        } finally {
            Files.delete(file);
        }
    }
}

package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.testing.UncaughtExceptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file system of limited size that the test mounts, which takes an administrator's rights. The
 * plain one refuses writes once it is full. The lying one promises space that the disk below does
 * not have: writes succeed, and the sync after them fails, and the next sync would succeed.
 */
public final class SmallDisk implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SmallDisk.class);

    private final Path below;
    private final Path at;
    private final boolean lying;

    private SmallDisk(Path below, Path at, boolean lying) {
        this.below = below;
        this.at = at;
        this.lying = lying;
        UncaughtExceptions.expect(SmallDisk::isOfFailedLog);
    }

    /**
     * Ratis closes a log that it could not write beneath the thread that leads by it, which ends by
     * that. The node has been told of the failure by then, and ends the group or the process.
     */
    private static boolean isOfFailedLog(Throwable failure) {
        return failure instanceof IllegalStateException
                && failure.getCause() != null
                && Arrays.stream(failure.getCause().getStackTrace())
                        .anyMatch(
                                frame ->
                                        frame.getClassName().endsWith(".SegmentedRaftLog$Task")
                                                && frame.getMethodName().equals("failed"));
    }

    /** Empty: this machine or user may not mount. */
    public static Optional<SmallDisk> full(Path at, int mebibytes) throws IOException {
        Files.createDirectories(at);
        return run("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "tmpfs", at.toString())
                ? Optional.of(new SmallDisk(at, at, false))
                : Optional.empty();
    }

    /** The same. */
    static Optional<SmallDisk> lying(Path at, int mebibytes, int promisedMebibytes)
            throws IOException {
        Path below = at.resolveSibling(at.getFileName() + "-below");
        Optional<SmallDisk> real = full(below, mebibytes);
        if (real.isEmpty()) {
            return Optional.empty();
        }
        Files.createDirectories(at);
        Path image = below.resolve("image");
        // Without a journal: it would be the first to find no space, and end all of the disk.
        boolean made =
                run("truncate", "-s", promisedMebibytes + "m", image.toString())
                        && run("mkfs.ext4", "-q", "-F", "-O", "^has_journal", image.toString())
                        && run("mount", "-o", "loop", image.toString(), at.toString());
        if (!made) {
            real.get().close();
            return Optional.empty();
        }
        return Optional.of(new SmallDisk(below, at, true));
    }

    private static boolean run(String... command) throws IOException {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes());
            boolean done = process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
            if (!done) {
                LOG.info("not done command={} said={}", List.of(command), said);
            }
            return done;
        } catch (IOException noSuchCommand) {
            LOG.info("not done command={}", List.of(command), noSuchCommand);
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }

    /** Writes a file until nothing more fits, or until so many bytes are left. */
    public static void fill(Path file, long leftBytes) throws IOException {
        byte[] block = new byte[1 << 12];
        try (OutputStream out = Files.newOutputStream(file)) {
            while (leftBytes == 0
                    || Files.getFileStore(file).getUsableSpace() >= leftBytes + block.length) {
                out.write(block);
            }
        } catch (IOException full) {
            assertThat(Files.size(file)).isPositive();
        }
    }

    /** Space comes back. */
    public void grow(int mebibytes) throws IOException {
        if (!run("mount", "-o", "remount,size=" + mebibytes + "m", below.toString())) {
            throw new IOException("not grown: " + below);
        }
    }

    /** What is in memory of a lying disk, and never was on it, is gone then. */
    void remount() throws IOException {
        if (!run("umount", at.toString())
                || !run("mount", "-o", "loop", below.resolve("image").toString(), at.toString())) {
            throw new IOException("not mounted again: " + at);
        }
    }

    @Override
    public void close() throws IOException {
        if (lying) {
            run("umount", "-l", at.toString());
        }
        run("umount", "-l", below.toString());
    }
}

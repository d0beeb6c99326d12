package io.parterre.deploy.secret;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.parterre.concurrent.DaemonThreads;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A program that prints keys, by which any service or device can keep them. Runs without a shell;
 * its error stream is ours.
 *
 * @param words program and arguments
 * @param timeout time after which the program is killed
 */
record KeyCommand(List<String> words, Duration timeout) {
    /** Keys take only a few lines. */
    private static final int OUTPUT_BYTES_MAX = 1 << 16;

    private static final File NOTHING = new File("/dev/null");

    KeyCommand {
        words = List.copyOf(words);
    }

    /**
     * Runs the program and returns its output.
     *
     * @throws EncryptionKeysException if it cannot be started, takes too long, prints too much or
     *     ends with another code than 0
     */
    String run() throws EncryptionKeysException {
        Process process;
        try {
            process =
                    new ProcessBuilder(words)
                            // A program that asks for input gets none.
                            .redirectInput(NOTHING)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
        } catch (IOException e) {
            throw failed("cannot be started: " + e.getMessage());
        }
        CompletableFuture<byte[]> output = new CompletableFuture<>();
        DaemonThreads.named("key-command").newThread(() -> read(process, output)).start();
        try {
            byte[] printed = output.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (printed.length > OUTPUT_BYTES_MAX) {
                throw failed("prints more than " + OUTPUT_BYTES_MAX + " bytes (expected: keys)");
            }
            // The program has closed its output and ends soon; a child of it may keep running.
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw failed("takes longer than " + timeout.toMillis() + " ms");
            }
            if (process.exitValue() != 0) {
                throw failed("ended with code " + process.exitValue() + " (expected: 0)");
            }
            return new String(printed, UTF_8);
        } catch (TimeoutException e) {
            throw failed("takes longer than " + timeout.toMillis() + " ms");
        } catch (ExecutionException e) {
            throw failed("cannot be read: " + e.getCause().getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed("was interrupted");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static void read(Process process, CompletableFuture<byte[]> output) {
        try (InputStream in = process.getInputStream()) {
            output.complete(in.readNBytes(OUTPUT_BYTES_MAX + 1));
        } catch (IOException e) {
            output.completeExceptionally(e);
        }
    }

    /** Returns a failure that names only the program, because arguments may contain a secret. */
    private EncryptionKeysException failed(String what) {
        return new EncryptionKeysException("secrets.keyCommand: " + words.get(0) + " " + what);
    }
}

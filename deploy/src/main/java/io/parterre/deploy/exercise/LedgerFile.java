package io.parterre.deploy.exercise;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * A ledger, and the file that outlives this process. Each line is handed to the system before the
 * call that it is about is sent, so that an end of this process loses no line; the machine's end
 * may. Safe for any thread.
 */
final class LedgerFile implements Closeable {
    private final Ledger ledger;
    private final Optional<BufferedWriter> writer;

    private LedgerFile(Ledger ledger, Optional<BufferedWriter> writer) {
        this.ledger = ledger;
        this.writer = writer;
    }

    /** Without a file. */
    static LedgerFile inMemory() {
        return new LedgerFile(new Ledger(), Optional.empty());
    }

    /**
     * Reads what the file has and continues it.
     *
     * @throws IOException if the file cannot be read or written, or is no ledger
     */
    static LedgerFile open(Path file) throws IOException {
        Ledger ledger = new Ledger();
        String text = read(file);
        // A process that was killed may have left half a line; what it was about was not sent.
        String whole = text.substring(0, text.lastIndexOf('\n') + 1);
        int number = 0;
        for (String line : whole.lines().toList()) {
            number++;
            try {
                ledger.apply(LedgerLine.parse(line));
            } catch (IllegalArgumentException e) {
                throw new IOException(file + ":" + number + ": " + e.getMessage(), e);
            }
        }
        if (whole.length() < text.length()) {
            Files.writeString(file, whole);
        }
        return new LedgerFile(
                ledger,
                Optional.of(
                        Files.newBufferedWriter(
                                file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)));
    }

    private static String read(Path file) throws IOException {
        try {
            return Files.readString(file, UTF_8);
        } catch (NoSuchFileException e) {
            return "";
        }
    }

    Ledger ledger() {
        return ledger;
    }

    /** Records a line in both. */
    synchronized void add(LedgerLine line) {
        ledger.apply(line);
        if (writer.isPresent()) {
            try {
                writer.get().write(line.text() + "\n");
                writer.get().flush();
            } catch (IOException e) {
                throw new UncheckedIOException("the ledger cannot be written", e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        if (writer.isPresent()) {
            writer.get().close();
        }
    }
}

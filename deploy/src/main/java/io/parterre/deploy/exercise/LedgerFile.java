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
 * A ledger, and the file that outlives this process. Each line is passed to the operating system
 * before its call is sent, so that no line is lost when this process ends; a crash of the machine
 * may lose lines. Thread-safe.
 */
final class LedgerFile implements Closeable {
    private final Ledger ledger;
    private final Optional<BufferedWriter> writer;

    private LedgerFile(Ledger ledger, Optional<BufferedWriter> writer) {
        this.ledger = ledger;
        this.writer = writer;
    }

    /** Returns a ledger without a file. */
    static LedgerFile inMemory() {
        return new LedgerFile(new Ledger(), Optional.empty());
    }

    /**
     * Reads the file's contents and continues it.
     *
     * @throws IOException if the file cannot be read or written, or is no ledger
     */
    static LedgerFile open(Path file) throws IOException {
        Ledger ledger = new Ledger();
        String text = read(file);
        // A killed process may have left half a line; the call of this line was not sent.
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

    /** Adds a line to both. */
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

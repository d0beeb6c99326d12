package io.parterre.frontend.observe;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * A file of lines that is closed when it is full. The full file becomes number 1, number 1 becomes
 * 2, and the oldest is deleted. An existing file is continued. After a failure the next line opens
 * the file again. Confined to one thread.
 */
final class LogFile implements LineOutput {
    private final Path file;
    private final long bytesMax;
    private final int filesMax;
    private Optional<OutputStream> open = Optional.empty();
    private long size;

    LogFile(RequestLogConfig config) {
        this.file = config.file().toAbsolutePath();
        this.bytesMax = config.fileBytesMax();
        this.filesMax = config.filesMax();
    }

    @Override
    public void write(byte[] line) throws IOException {
        try {
            if (open.isEmpty()) {
                open();
            }
            if (size > 0 && size + line.length > bytesMax) {
                close();
                rotate();
                open();
            }
            open.orElseThrow().write(line);
            size += line.length;
        } catch (IOException failure) {
            giveUp();
            throw failure;
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            if (open.isPresent()) {
                open.get().flush();
            }
        } catch (IOException failure) {
            giveUp();
            throw failure;
        }
    }

    private void open() throws IOException {
        Files.createDirectories(file.getParent());
        OutputStream stream =
                Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        open = Optional.of(new BufferedOutputStream(stream, 64 * 1_024));
        size = Files.size(file);
    }

    private void rotate() throws IOException {
        for (int number = filesMax - 1; number > 0; number--) {
            Path from = number == 1 ? file : numbered(number - 1);
            if (Files.exists(from)) {
                Files.move(from, numbered(number), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        // If no older files are kept, nothing was moved.
        Files.deleteIfExists(file);
    }

    private Path numbered(int number) {
        return file.resolveSibling(file.getFileName() + "." + number);
    }

    private void giveUp() {
        Optional<OutputStream> broken = open;
        open = Optional.empty();
        if (broken.isPresent()) {
            try {
                broken.get().close();
            } catch (IOException again) {
                // The buffered lines are lost, of which the caller has already been told.
                size = 0;
            }
        }
    }

    @Override
    public void close() throws IOException {
        Optional<OutputStream> ending = open;
        open = Optional.empty();
        if (ending.isPresent()) {
            ending.get().close();
        }
    }
}

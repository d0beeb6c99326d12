package io.parterre.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Small files and whole folders on disk. Stateless; one caller at a time for each path. */
public final class DurableFiles {
    private DurableFiles() {}

    /** Where the content of a file lies until it is whole. */
    public static Path unfinished(Path file) {
        return file.resolveSibling(file.getFileName() + ".tmp");
    }

    /**
     * Gives a file this content; when it returns, the content survives a power loss. After a crash
     * the file has its content from before or this one, never half. Its folder must exist.
     *
     * @throws IOException if the file cannot be written; it is then as it was before
     */
    public static void replace(Path file, byte[] content) throws IOException {
        Path unfinished = unfinished(file);
        try (FileChannel out =
                FileChannel.open(
                        unfinished,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            for (ByteBuffer left = ByteBuffer.wrap(content); left.hasRemaining(); ) {
                out.write(left);
            }
            out.force(true);
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        syncFolder(file.toAbsolutePath().getParent());
    }

    /**
     * Makes what was created, moved and removed in a folder survive a power loss.
     *
     * @throws IOException if there is no such folder or the disk fails
     */
    public static void syncFolder(Path folder) throws IOException {
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    /**
     * Copies a folder with all that is in it; the copy is not synced.
     *
     * @param to its parent exists; in it no file that {@code from} has
     * @throws IOException if something cannot be read or written; part of it may be there then
     */
    public static void copyFolder(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }

    /**
     * Removes a folder with all that is in it; none is fine.
     *
     * @throws IOException if something in it cannot be removed; the rest of it may be gone then
     */
    public static void removeFolder(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> found;
        try (Stream<Path> all = Files.walk(folder)) {
            found = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : found) {
            Files.deleteIfExists(each);
        }
    }
}

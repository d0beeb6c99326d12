package io.parterre.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Small files and whole folders on disk. Stateless; one caller at a time for each path. */
public final class DurableFiles {
    private static final int REMOVAL_ATTEMPTS = 100;

    private static final FileVisitor<Path> REMOVAL =
            new ChangingTree() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                        throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, IOException failure)
                        throws IOException {
                    super.postVisitDirectory(visited, failure);
                    Files.deleteIfExists(visited);
                    return FileVisitResult.CONTINUE;
                }
            };

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
     * Regular files at any depth below a folder, in no order. Files in the folder may come and go
     * meanwhile; one that does may be missing or listed.
     *
     * @throws IOException if there is no such folder or it cannot be read
     */
    public static List<Path> filesBelow(Path folder) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(
                folder,
                new ChangingTree() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        if (attributes.isRegularFile()) {
                            found.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException failure)
                            throws IOException {
                        if (file.equals(folder)) {
                            throw failure;
                        }
                        return super.visitFileFailed(file, failure);
                    }
                });
        return found;
    }

    /**
     * Removes a folder with all that is in it; none is fine. Files in the folder may come and go
     * meanwhile: a server that was just closed in this process may finish a write.
     *
     * @throws IOException if something in it cannot be removed, or if new files keep appearing; the
     *     rest of it may be gone then
     */
    public static void removeFolder(Path folder) throws IOException {
        for (int attempt = 1; Files.exists(folder); attempt++) {
            try {
                Files.walkFileTree(folder, REMOVAL);
            } catch (DirectoryNotEmptyException refilled) {
                if (attempt == REMOVAL_ATTEMPTS) {
                    throw refilled;
                }
            }
        }
    }

    /** Visits a folder whose files may come and go meanwhile. */
    private static class ChangingTree extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            return skipGone(failure);
        }

        @Override
        public FileVisitResult postVisitDirectory(Path visited, IOException failure)
                throws IOException {
            return failure == null ? FileVisitResult.CONTINUE : skipGone(failure);
        }

        private static FileVisitResult skipGone(IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }
    }
}

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

/** Operations on small files and whole folders. Stateless; one caller at a time for each path. */
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

    /** Returns the path of a file's content until it is whole. */
    public static Path unfinished(Path file) {
        return file.resolveSibling(file.getFileName() + ".tmp");
    }

    /**
     * Replaces the content of a file. When this method returns, the content survives a power loss.
     * After a crash the file has its earlier content or this one, never a mixture. Its folder must
     * exist.
     *
     * @throws IOException if the file cannot be written; it is then unchanged
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
     * Syncs a folder: files and folders created, moved and removed in it survive a power loss.
     *
     * @throws IOException if there is no such folder or the disk fails
     */
    public static void syncFolder(Path folder) throws IOException {
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    /**
     * Copies a folder with all its content; the copy is not synced.
     *
     * @param to its parent must exist; it must contain no file of {@code from}
     * @throws IOException if a file cannot be read or written; part of the copy may exist then
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
     * Returns the regular files at any depth below a folder, in no order. Files in the folder may
     * come and go meanwhile; such a file may be missing or listed.
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
     * Removes a folder with all its content; does nothing if there is no such folder. Files in the
     * folder may come and go meanwhile: a server that was just closed in this process may finish a
     * write.
     *
     * @throws IOException if a file in it cannot be removed, or if new files keep appearing; the
     *     rest may be gone then
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

package io.parterre.deploy.backup;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** Objects as files of a folder. A file is written beside its place, synced, and renamed. */
final class FolderStore implements ObjectStore {
    private static final String BEGUN = ".begun";

    private final Path folder;

    /** A folder, made if missing for its owner alone. */
    FolderStore(Path folder) throws IOException {
        this.folder = folder;
        if (!Files.isDirectory(folder)) {
            boolean posix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
            Path made = Files.createDirectories(folder);
            if (posix) {
                Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwx------"));
            }
        }
    }

    @Override
    public void put(String name, byte[] bytes) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Path begun = file.resolveSibling(UUID.randomUUID() + BEGUN);
        try (FileChannel out =
                FileChannel.open(begun, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (ByteBuffer left = ByteBuffer.wrap(bytes); left.hasRemaining(); ) {
                out.write(left);
            }
            out.force(true);
        } catch (IOException failure) {
            Files.deleteIfExists(begun);
            throw failure;
        }
        Files.move(
                begun, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        // The name as well: else a manifest might outlast what it names.
        try (FileChannel parent = FileChannel.open(file.getParent())) {
            parent.force(true);
        }
    }

    @Override
    public Optional<byte[]> get(String name) throws IOException {
        try {
            return Optional.of(Files.readAllBytes(folder.resolve(name)));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    @Override
    public boolean has(String name) {
        return Files.exists(folder.resolve(name));
    }

    @Override
    public List<String> list(String prefix) throws IOException {
        int slash = prefix.lastIndexOf('/');
        Path from = slash < 0 ? folder : folder.resolve(prefix.substring(0, slash));
        if (!Files.isDirectory(from)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(from)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString().replace('\\', '/'))
                    .filter(name -> name.startsWith(prefix) && !name.endsWith(BEGUN))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public void delete(String name) throws IOException {
        Files.deleteIfExists(folder.resolve(name));
    }

    @Override
    public void close() {
        // It holds nothing open.
    }
}

package io.parterre.deploy.backup;

import io.parterre.file.DurableFiles;
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
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Objects as files of a folder. A file is written under a temporary name, synced, and renamed. */
final class FolderStore implements ObjectStore {
    private static final String BEGUN = ".begun";

    private final Path folder;
    private final Syncs syncs;

    /** Folders whose names survive a power loss. */
    private final Set<Path> synced = ConcurrentHashMap.newKeySet();

    /** Makes the names in a folder survive a power loss. */
    @FunctionalInterface
    interface Syncs {
        void sync(Path folder) throws IOException;
    }

    /** Creates a store in a folder, which is made if missing, readable by its owner only. */
    FolderStore(Path folder) throws IOException {
        this(folder, DurableFiles::syncFolder);
    }

    /** Creates a store with another way to sync. */
    FolderStore(Path folder, Syncs syncs) throws IOException {
        this.folder = folder.toAbsolutePath();
        this.syncs = syncs;
        if (!Files.isDirectory(folder)) {
            Path there = this.folder;
            while (!Files.exists(there)) {
                there = there.getParent();
            }
            boolean posix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
            Path made = Files.createDirectories(folder);
            if (posix) {
                Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwx------"));
            }
            for (Path each = this.folder; !each.equals(there); each = each.getParent()) {
                syncs.sync(each.getParent());
            }
        }
    }

    @Override
    public void put(String name, byte[] bytes) throws IOException {
        Path file = folder.resolve(name);
        make(file.getParent());
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
        // Also syncs the name; otherwise a manifest could survive without the objects that it
        // names.
        syncs.sync(file.getParent());
    }

    /**
     * Makes and syncs a folder. An existing folder is synced too, because a process may have lost
     * power between making and syncing it.
     */
    private void make(Path made) throws IOException {
        if (made.equals(folder) || synced.contains(made)) {
            return;
        }
        make(made.getParent());
        Files.createDirectories(made);
        syncs.sync(made.getParent());
        synced.add(made);
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
    public Optional<byte[]> getPart(String name, long offset, int length) throws IOException {
        try (FileChannel in = FileChannel.open(folder.resolve(name), StandardOpenOption.READ)) {
            if (offset < 0 || length > in.size() - offset) {
                return Optional.empty();
            }
            ByteBuffer part = ByteBuffer.allocate(length);
            while (part.hasRemaining() && in.read(part, offset + part.position()) >= 0) {
                // Reads until the buffer is full.
            }
            return part.hasRemaining() ? Optional.empty() : Optional.of(part.array());
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
        return DurableFiles.filesBelow(from).stream()
                .map(file -> folder.relativize(file).toString().replace('\\', '/'))
                .filter(name -> name.startsWith(prefix) && !name.endsWith(BEGUN))
                .sorted()
                .toList();
    }

    @Override
    public void delete(String name) throws IOException {
        Files.deleteIfExists(folder.resolve(name));
    }

    @Override
    public void close() {
        // There is nothing to close.
    }
}

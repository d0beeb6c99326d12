package io.parterre.deploy.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.parterre.deploy.ExitCode;
import io.parterre.deploy.config.FileErrorText;
import io.parterre.release.FeatureLevel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of all persistent data: used by one process at a time, marked as ours with the version
 * of its format. A folder that is neither empty nor marked is never touched.
 */
final class DataFolder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DataFolder.class);
    static final String LOCK = "lock";

    /** Permissions of users who neither own the folder nor have the owner's rights. */
    private static final Set<PosixFilePermission> FOR_OTHERS =
            Set.of(
                    PosixFilePermission.GROUP_READ,
                    PosixFilePermission.GROUP_EXECUTE,
                    PosixFilePermission.OTHERS_READ,
                    PosixFilePermission.OTHERS_EXECUTE);

    private final Path path;
    private final FileChannel lockFile;

    /** Whether the folder was empty before this process took it. */
    private final boolean fresh;

    /** Folders made for this one, the innermost first. */
    private final List<Path> made;

    private DataFolder(Path path, FileChannel lockFile, boolean fresh, List<Path> made) {
        this.path = path;
        this.lockFile = lockFile;
        this.fresh = fresh;
        this.made = made;
    }

    /**
     * Checks whether {@link #open} would be refused, and writes nothing.
     *
     * @throws StartException as {@link #open} does
     */
    static void check(Path path) throws StartException {
        Path folder = absolute(path);
        try {
            if (Files.isDirectory(folder)) {
                new FolderMarker(folder).check();
                if (Files.exists(folder.resolve(LOCK))) {
                    lock(folder, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE)).close();
                }
            } else if (Files.exists(folder)) {
                throw new FileAlreadyExistsException(folder.toString());
            }
        } catch (IOException e) {
            throw unusable(folder, e);
        }
    }

    /**
     * Takes the folder; makes it if there is none.
     *
     * @throws StartException if it is in use, not ours or newer, or cannot be used
     */
    static DataFolder open(Path path) throws StartException {
        Path folder = absolute(path);
        List<Path> made = missing(folder);
        FolderMarker marker = new FolderMarker(folder);
        try {
            // The folder contains the accounts' keys, so only its owner may read it.
            Files.createDirectories(
                    folder,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
            // Before the lock, because a refused folder must not get a lock file.
            marker.check();
            warnIfReadable(folder);
            FileChannel lockFile =
                    lock(
                            folder,
                            Set.of(
                                    StandardOpenOption.CREATE,
                                    StandardOpenOption.READ,
                                    StandardOpenOption.WRITE));
            try {
                return take(marker, lockFile, made);
            } catch (IOException | StartException e) {
                lockFile.close();
                throw e;
            }
        } catch (IOException e) {
            throw unusable(folder, e);
        }
    }

    /**
     * Warns if other users may read a folder that was made beforehand, for example by a package:
     * logs and snapshots of managers contain the accounts' keys. The permissions stay unchanged,
     * because a group may be meant to read.
     */
    private static void warnIfReadable(Path folder) throws IOException {
        if (isReadableByOthers(folder)) {
            LOG.warn(
                    "other users of this machine may read the data folder, account keys included:"
                            + " chmod 700 unless that is meant dataDir={}",
                    folder);
        }
    }

    private static boolean isReadableByOthers(Path folder) throws IOException {
        return !Collections.disjoint(Files.getPosixFilePermissions(folder), FOR_OTHERS);
    }

    private static DataFolder take(FolderMarker marker, FileChannel lockFile, List<Path> made)
            throws IOException, StartException {
        // Another process may have marked it in the meantime.
        marker.check();
        boolean fresh = !marker.exists();
        lockFile.truncate(0);
        lockFile.write(
                ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(UTF_8)));
        if (fresh) {
            marker.write();
        }
        return new DataFolder(marker.folder(), lockFile, fresh, made);
    }

    private static Path absolute(Path path) {
        return path.toAbsolutePath().normalize();
    }

    private static List<Path> missing(Path folder) {
        List<Path> missing = new ArrayList<>();
        for (Path each = folder; each != null && !Files.exists(each); each = each.getParent()) {
            missing.add(each);
        }
        return missing;
    }

    private static StartException unusable(Path folder, IOException failure) {
        String what =
                failure instanceof FileAlreadyExistsException
                        ? " is a file (expected: a folder)"
                        : " cannot be used: " + FileErrorText.reason(folder, failure);
        return new StartException(
                ExitCode.DATA_DIR_REFUSED, "data folder " + folder + what, failure);
    }

    private static FileChannel lock(Path folder, Set<OpenOption> options)
            throws IOException, StartException {
        FileChannel file = FileChannel.open(folder.resolve(LOCK), options);
        FileLock lock;
        try {
            lock = file.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            String holder = holder(file);
            file.close();
            throw new StartException(
                    ExitCode.DATA_DIR_IN_USE,
                    "data folder " + folder + " is in use by another process" + holder);
        }
        return file;
    }

    private static String holder(FileChannel file) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(32);
        file.read(text, 0);
        String pid = new String(text.array(), 0, text.position(), UTF_8).strip();
        return pid.matches("\\d+") ? ", pid " + pid : "";
    }

    /**
     * Sets the folder's format to a feature level, before anything that needs this level is written
     * into the folder. Durable on return; thread-safe.
     */
    synchronized void raise(FeatureLevel level) throws IOException {
        new FolderMarker(path).raise(level);
    }

    Path resolve(String name) {
        return path.resolve(name);
    }

    @Override
    public String toString() {
        return path.toString();
    }

    /**
     * Closes the folder after a start that failed before any client was served, and removes
     * everything in it that this process made. Earlier contents stay.
     */
    void giveUp() throws IOException {
        try {
            if (fresh) {
                List<Path> contents;
                try (Stream<Path> files = Files.walk(path)) {
                    contents = files.skip(1).sorted(Comparator.reverseOrder()).toList();
                }
                // The lock last, so that no process takes the folder before it is empty.
                Path lock = path.resolve(LOCK);
                for (Path file : contents) {
                    if (!file.equals(lock)) {
                        Files.deleteIfExists(file);
                    }
                }
                Files.delete(lock);
                for (Path folder : made) {
                    Files.delete(folder);
                }
            }
        } finally {
            close();
        }
    }

    /**
     * Releases the folder for the next process. The lock file stays, because removing it would let
     * two processes in.
     */
    @Override
    public void close() throws IOException {
        lockFile.close();
    }
}

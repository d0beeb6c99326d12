package io.parterre.deploy.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.parterre.deploy.ExitCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folder of everything that lasts: held by one process at a time, marked as ours with the
 * version of its format. A folder that is neither empty nor marked is never touched.
 */
final class DataFolder implements AutoCloseable {
    /** Raised when an older release could no longer read what is written. */
    static final int FORMAT = 1;

    private static final String MARKER = "parterre-data";
    private static final String UNFINISHED_MARKER = "parterre-data.tmp";
    private static final String LOCK = "lock";
    private static final Pattern MARKER_FORM = Pattern.compile("format=(\\d{1,9})\\s*");

    private final Path path;
    private final FileChannel lockFile;

    private DataFolder(Path path, FileChannel lockFile) {
        this.path = path;
        this.lockFile = lockFile;
    }

    /**
     * Takes the folder; makes it if there is none.
     *
     * @throws StartException if it is in use, not ours or newer, or cannot be used
     */
    static DataFolder open(Path path) throws StartException {
        Path folder = path.toAbsolutePath().normalize();
        try {
            // The accounts' keys stand in it: nobody else has to look.
            Files.createDirectories(
                    folder,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
            refuseForeign(folder);
            FileChannel lockFile = lock(folder);
            try {
                checkMarker(folder);
                return new DataFolder(folder, lockFile);
            } catch (IOException | StartException e) {
                lockFile.close();
                throw e;
            }
        } catch (FileAlreadyExistsException e) {
            throw new StartException(
                    ExitCode.DATA_DIR_REFUSED,
                    "data folder " + folder + " is a file (expected: a folder)",
                    e);
        } catch (IOException e) {
            throw new StartException(
                    ExitCode.DATA_DIR_REFUSED,
                    "data folder " + folder + " cannot be used: " + e,
                    e);
        }
    }

    /** Our own files from a start that was cut short do not make it foreign. */
    private static void refuseForeign(Path folder) throws IOException, StartException {
        if (Files.exists(folder.resolve(MARKER))) {
            return;
        }
        Set<String> ours = Set.of(LOCK, UNFINISHED_MARKER);
        List<String> others;
        try (Stream<Path> files = Files.list(folder)) {
            others =
                    files.map(file -> file.getFileName().toString())
                            .filter(name -> !ours.contains(name))
                            .sorted()
                            .limit(3)
                            .toList();
        }
        if (!others.isEmpty()) {
            throw new StartException(
                    ExitCode.DATA_DIR_REFUSED,
                    "data folder "
                            + folder
                            + " holds other things, as "
                            + String.join(", ", others)
                            + " (expected: a folder of ours, an empty one or none)");
        }
    }

    private static FileChannel lock(Path folder) throws IOException, StartException {
        FileChannel file =
                FileChannel.open(
                        folder.resolve(LOCK),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
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
        file.truncate(0);
        file.write(ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(UTF_8)));
        return file;
    }

    private static String holder(FileChannel file) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(32);
        file.read(text, 0);
        String pid = new String(text.array(), 0, text.position(), UTF_8).strip();
        return pid.matches("\\d+") ? ", pid " + pid : "";
    }

    private static void checkMarker(Path folder) throws IOException, StartException {
        Optional<Integer> format = format(folder.resolve(MARKER));
        if (format.isEmpty()) {
            mark(folder);
        } else if (format.get() > FORMAT) {
            throw new StartException(
                    ExitCode.DATA_DIR_REFUSED,
                    "data folder "
                            + folder
                            + " has format "
                            + format.get()
                            + ", written by a newer release (expected: at most "
                            + FORMAT
                            + ")");
        }
    }

    private static Optional<Integer> format(Path marker) throws IOException, StartException {
        if (!Files.exists(marker)) {
            return Optional.empty();
        }
        String text = Files.readString(marker);
        Matcher matcher = MARKER_FORM.matcher(text);
        if (!matcher.matches()) {
            throw new StartException(
                    ExitCode.DATA_DIR_REFUSED,
                    marker + " cannot be understood (expected: format=" + FORMAT + ")");
        }
        return Optional.of(Integer.parseInt(matcher.group(1)));
    }

    private static void mark(Path folder) throws IOException {
        Path unfinished = folder.resolve(UNFINISHED_MARKER);
        try (FileChannel file =
                FileChannel.open(
                        unfinished,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(("format=" + FORMAT + "\n").getBytes(UTF_8)));
            file.force(true);
        }
        Files.move(unfinished, folder.resolve(MARKER), StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
            entries.force(true);
        }
    }

    Path resolve(String name) {
        return path.resolve(name);
    }

    @Override
    public String toString() {
        return path.toString();
    }

    /** Lets the next process have it. The lock file stays: removing it would let two in. */
    @Override
    public void close() throws IOException {
        lockFile.close();
    }
}

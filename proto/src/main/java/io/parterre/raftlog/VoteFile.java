package io.parterre.raftlog;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.regex.Pattern;

/**
 * The file with a group's term and vote, as Ratis writes it, and the last one that anybody was told
 * of.
 *
 * <p>Ratis syncs a new file but not the renaming that puts it in the place of the last, and on a
 * full disk it puts an empty one there: its writer closes what it could not write, and to close is
 * to rename. A vote could be taken back by the one and be gone by the other, and without it no
 * group starts. What is kept here is on disk, name and all, before the vote is told; a vote that
 * was not told may be forgotten.
 *
 * @param folder of the log
 */
public record VoteFile(Path folder) {
    private static final String NAME = "raft-meta";
    private static final Pattern TERM = Pattern.compile("(?m)^term=\\d+$");
    private static final Pattern VOTE = Pattern.compile("(?m)^votedFor=");

    private Path file() {
        return folder.resolve(NAME);
    }

    private Path kept() {
        return folder.resolve(NAME + ".kept");
    }

    /**
     * Keeps what the file says by now. Returns when it is on disk under its name; then it may be
     * told. One caller at a time.
     *
     * @throws IOException if it could not be kept; then it must not be told
     */
    public void keep() throws IOException {
        Path fresh = another(file());
        if (!isWhole(fresh)) {
            throw new IOException(file() + " is not whole");
        }
        Files.move(fresh, kept(), StandardCopyOption.ATOMIC_MOVE);
        // Two names of one file are left as they are.
        Files.deleteIfExists(fresh);
        sync();
    }

    /**
     * Puts what was kept last in the place of a file that is not whole. To be called before Ratis
     * reads it.
     *
     * @return whether it had to
     */
    public boolean restore() throws IOException {
        if (!Files.exists(kept()) || isWhole(file())) {
            return false;
        }
        Files.move(another(kept()), file(), StandardCopyOption.ATOMIC_MOVE);
        sync();
        return true;
    }

    /** The same content under another name; Ratis never writes to a file that has its name. */
    private Path another(Path file) throws IOException {
        Path fresh = folder.resolve(NAME + ".new");
        Files.deleteIfExists(fresh);
        try {
            Files.createLink(fresh, file);
        } catch (UnsupportedOperationException | FileSystemException noLinks) {
            Files.copy(file, fresh, StandardCopyOption.REPLACE_EXISTING);
            try (FileChannel copied = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
                copied.force(true);
            }
        }
        return fresh;
    }

    private static boolean isWhole(Path file) throws IOException {
        if (!Files.exists(file)) {
            return false;
        }
        String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        return text.endsWith("\n") && TERM.matcher(text).find() && VOTE.matcher(text).find();
    }

    private void sync() throws IOException {
        try (FileChannel opened = FileChannel.open(folder, StandardOpenOption.READ)) {
            opened.force(true);
        }
    }
}

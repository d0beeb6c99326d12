package io.parterre.raftlog;

import io.parterre.file.DurableFiles;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Ratis's file with a group's term and vote, and a second copy of the last vote that was sent to
 * another member.
 *
 * <p>Ratis 3.3.0 handles its file in three unsafe ways:
 *
 * <ul>
 *   <li>It syncs a new file, but not the rename over the old one. A power loss could undo a vote.
 *   <li>On a full disk its writer renames an empty file into place, because a close is a rename.
 *       The vote is lost, and the group does not start.
 *   <li>It writes the file under one lock as a candidate and under another lock as a voter, so an
 *       older term may be written last.
 * </ul>
 *
 * <p>The copy is on disk under its name before the vote is sent, and holds no earlier vote than the
 * one sent. A vote that was not sent may be forgotten. This class also syncs the names of the log's
 * own folder and of its group's folder, which Ratis does not sync. Without these names a power loss
 * could remove the whole log.
 *
 * @param folder folder of the log, inside that of the group, inside that of all groups
 */
public record VoteFile(Path folder) {
    private static final String NAME = "raft-meta";
    private static final Pattern TERM = Pattern.compile("(?m)^term=(\\d{1,18})$");
    private static final Pattern VOTE = Pattern.compile("(?m)^votedFor=");

    /**
     * A term, and the member's vote in that term.
     *
     * @param votedFor id of the peer that has the vote; empty: none is known
     */
    public record Vote(long term, String votedFor) {
        /** No term and no vote. */
        public static final Vote NONE = new Vote(0, "");

        public static Vote inTerm(long term) {
            return new Vote(term, "");
        }

        /**
         * Returns the vote of the later term. Within one term, returns the first vote that names a
         * peer.
         */
        Vote orLater(Vote other) {
            boolean tellsMore = other.term == term && votedFor.isEmpty();
            return other.term > term || tellsMore ? other : this;
        }

        private boolean contradicts(Vote other) {
            return other.term == term
                    && !votedFor.isEmpty()
                    && !other.votedFor.isEmpty()
                    && !other.votedFor.equals(votedFor);
        }
    }

    /** Parsed and raw content of a file. */
    private record Content(Vote vote, byte[] bytes) {}

    private Path file() {
        return folder.resolve(NAME);
    }

    private Path kept() {
        return folder.resolve(NAME + ".kept");
    }

    /**
     * Keeps the latest of three votes: the vote in Ratis's file, the vote in the copy, and the vote
     * about to be sent. The caller may send the vote once this method returns. One caller at a
     * time.
     *
     * @param told vote that is about to be sent
     * @throws NoSuchFileException if the log is gone
     * @throws IOException if the vote could not be kept, or if another vote of that term was sent
     *     before; then the vote must not be sent
     */
    public void keep(Vote told) throws IOException {
        if (!Files.exists(file())) {
            throw new NoSuchFileException(file().toString());
        }
        Content file = read(file()).orElseThrow(() -> new IOException(file() + " is not whole"));
        Optional<Content> kept = read(kept());
        Vote before = kept.map(Content::vote).orElse(Vote.NONE);
        if (told.contradicts(before)) {
            throw new IOException(
                    before.votedFor()
                            + " has the vote of term "
                            + told.term()
                            + " (expected: "
                            + told.votedFor()
                            + ")");
        }
        Vote last = told.orLater(before).orLater(file.vote());
        if (kept.isEmpty() || !last.equals(before)) {
            write(kept(), last.equals(file.vote()) ? file.bytes() : bytes(last));
        }
        if (kept.isEmpty()) {
            syncNames();
        }
        // Synced even if the copy exists, because the process may have ended before the rename was
        // durable.
        DurableFiles.syncFolder(folder);
    }

    /**
     * Replaces Ratis's file by the copy if the file is not whole or holds an earlier vote. Must be
     * called before Ratis reads the file.
     *
     * @return whether the file was replaced
     */
    public boolean restore() throws IOException {
        Optional<Content> kept = read(kept());
        if (kept.isEmpty()) {
            return false;
        }
        // The process may have ended before the names were durable.
        syncNames();
        Optional<Content> file = read(file());
        Vote last = kept.get().vote().orLater(file.map(Content::vote).orElse(Vote.NONE));
        if (file.isPresent() && last.equals(file.get().vote())) {
            return false;
        }
        write(file(), kept.get().bytes());
        DurableFiles.syncFolder(folder);
        return true;
    }

    /**
     * Writes a new file and renames it. Never links a second name to Ratis's file, because Ratis
     * may still be writing to that file.
     */
    private void write(Path target, byte[] bytes) throws IOException {
        Path fresh = folder.resolve(NAME + ".new");
        try (FileChannel out =
                FileChannel.open(
                        fresh,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            ByteBuffer left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
                out.write(left);
            }
            out.force(true);
        }
        Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Returns the vote in the format that Ratis reads. */
    private static byte[] bytes(Vote vote) throws IOException {
        Properties properties = new Properties();
        properties.setProperty("term", Long.toString(vote.term()));
        properties.setProperty("votedFor", vote.votedFor());
        StringWriter text = new StringWriter();
        properties.store(text, null);
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the content; empty: the file does not exist, or is not whole. */
    private static Optional<Content> read(Path path) throws IOException {
        if (!Files.exists(path)) {
            return Optional.empty();
        }
        byte[] bytes = Files.readAllBytes(path);
        String text = new String(bytes, StandardCharsets.UTF_8);
        Matcher term = TERM.matcher(text);
        if (!text.endsWith("\n") || !term.find() || !VOTE.matcher(text).find()) {
            return Optional.empty();
        }
        Properties properties = new Properties();
        properties.load(new StringReader(text));
        return Optional.of(
                new Content(
                        new Vote(Long.parseLong(term.group(1)), properties.getProperty("votedFor")),
                        bytes));
    }

    /** Syncs the names of the log's folder and of its group's folder. */
    private void syncNames() throws IOException {
        Path group = folder.toAbsolutePath().getParent();
        DurableFiles.syncFolder(group);
        DurableFiles.syncFolder(group.getParent());
    }
}

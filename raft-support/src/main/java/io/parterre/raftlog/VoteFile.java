package io.parterre.raftlog;

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
 * The file with a group's term and vote, as Ratis writes it, and the last one that anybody was told
 * of.
 *
 * <p>Ratis syncs a new file but not the renaming that puts it in the place of the last, and on a
 * full disk it puts an empty one there: its writer closes what it could not write, and to close is
 * to rename. A vote could be taken back by the one and be gone by the other, and without it no
 * group starts. And Ratis 3.3.0 writes the file when it stands for election under another lock than
 * when it votes, so that an older term may be the last to be written. What is kept here is on disk,
 * name and all, before the vote is told, and says no less than is told; a vote that was not told
 * may be forgotten.
 *
 * @param folder of the log
 */
public record VoteFile(Path folder) {
    private static final String NAME = "raft-meta";
    private static final Pattern TERM = Pattern.compile("(?m)^term=(\\d{1,18})$");
    private static final Pattern VOTE = Pattern.compile("(?m)^votedFor=");

    /**
     * A term, and who has the member's vote in it.
     *
     * @param votedFor id of the peer; empty: nobody, as far as this tells
     */
    public record Vote(long term, String votedFor) {
        /** Tells nothing. */
        public static final Vote NONE = new Vote(0, "");

        public static Vote inTerm(long term) {
            return new Vote(term, "");
        }

        /** The later one; of one term, the first that names somebody. */
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

    /** What a file says. */
    private record Content(Vote vote, byte[] bytes) {}

    private Path file() {
        return folder.resolve(NAME);
    }

    private Path kept() {
        return folder.resolve(NAME + ".kept");
    }

    /**
     * Keeps what the file says by now, or what was kept before, or what is told, whatever is the
     * latest. Returns when it is on disk under its name; then it may be told. One caller at a time.
     *
     * @param told what is about to be told
     * @throws NoSuchFileException if the log is gone
     * @throws IOException if it could not be kept, or another vote of that term was told before;
     *     then it must not be told
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
        // Also where it is kept already: the process may have ended before it had a lasting name.
        sync();
    }

    /**
     * Puts what was kept last in the place of a file that is not whole or says less. To be called
     * before Ratis reads it.
     *
     * @return whether it had to
     */
    public boolean restore() throws IOException {
        Optional<Content> kept = read(kept());
        if (kept.isEmpty()) {
            return false;
        }
        Optional<Content> file = read(file());
        Vote last = kept.get().vote().orLater(file.map(Content::vote).orElse(Vote.NONE));
        if (file.isPresent() && last.equals(file.get().vote())) {
            return false;
        }
        write(file(), kept.get().bytes());
        sync();
        return true;
    }

    /** Never a second name of the file: Ratis may be writing to that yet. */
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

    /** As Ratis reads it. */
    private static byte[] bytes(Vote vote) throws IOException {
        Properties properties = new Properties();
        properties.setProperty("term", Long.toString(vote.term()));
        properties.setProperty("votedFor", vote.votedFor());
        StringWriter text = new StringWriter();
        properties.store(text, null);
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Empty: it is not there, or not whole. */
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

    private void sync() throws IOException {
        try (FileChannel opened = FileChannel.open(folder, StandardOpenOption.READ)) {
            opened.force(true);
        }
    }
}

package io.parterre.raftlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.parterre.raftlog.VoteFile.Vote;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class VoteFileTest {
    @TempDir Path folder;
    private VoteFile vote;
    private Path file;

    @BeforeEach
    void find() {
        vote = new VoteFile(folder);
        file = folder.resolve("raft-meta");
    }

    private static String text(int term, String votedFor) {
        return "#\n#Sat Nov 28 06:00:00 UTC 2026\nterm=" + term + "\nvotedFor=" + votedFor + "\n";
    }

    /** As Ratis does: another file takes the name. */
    private void write(String text) throws IOException {
        Path fresh = folder.resolve("raft-meta.tmp");
        Files.writeString(fresh, text);
        Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void voteIsRestored_whenVoteFileIsTornOrMissing() throws Exception {
        write(text(3, "a"));
        vote.keep(Vote.NONE);
        for (String broken : new String[] {"", "#\n", "#\nterm=4\n", "#\nterm=4\nvotedFor=b"}) {
            write(broken);
            assertThat(vote.restore()).as(broken).isTrue();
            assertThat(file).hasContent(text(3, "a"));
        }
        Files.delete(file);
        assertThat(vote.restore()).isTrue();
        assertThat(file).hasContent(text(3, "a"));
    }

    @Test
    void laterVoteIsKept_whenRestoreRuns() throws Exception {
        write(text(3, "a"));
        vote.keep(Vote.NONE);
        write(text(4, ""));
        assertThat(vote.restore()).isFalse();
        assertThat(file).hasContent(text(4, ""));
        vote.keep(Vote.NONE);
        vote.keep(Vote.NONE);
        write("");
        assertThat(vote.restore()).isTrue();
        assertThat(file).hasContent(text(4, ""));
    }

    /** The file of an older term may be the last that Ratis writes. */
    @Test
    void voteIsRestored_whenOlderTermWasWrittenOverIt() throws Exception {
        write(text(4, "b"));
        vote.keep(new Vote(4, "b"));
        write(text(3, "a"));
        vote.keep(Vote.NONE);
        assertThat(vote.restore()).isTrue();
        assertThat(file).hasContent(text(4, "b"));
        assertThat(vote.restore()).as("once").isFalse();
    }

    @Test
    void promisedVoteIsRestored_whenVoteFileIsOlder() throws Exception {
        write(text(3, "a"));
        vote.keep(new Vote(4, "b=1"));
        assertThat(vote.restore()).isTrue();
        assertThat(read()).containsEntry("term", "4").containsEntry("votedFor", "b=1");
        vote.keep(Vote.inTerm(5));
        assertThat(vote.restore()).isTrue();
        assertThat(read()).containsEntry("term", "5").containsEntry("votedFor", "");
    }

    @Test
    void firstVoteOfTermIsRestored_whenTermAloneIsKeptLater() throws Exception {
        write(text(4, "b"));
        vote.keep(new Vote(4, "b"));
        write(text(4, "a"));
        vote.keep(Vote.inTerm(4));
        assertThat(vote.restore()).isTrue();
        assertThat(file).hasContent(text(4, "b"));
    }

    @Test
    void secondVoteInSameTermIsRejected() throws Exception {
        write(text(4, "a"));
        vote.keep(new Vote(4, "a"));
        write(text(4, "b"));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> vote.keep(new Vote(4, "b")))
                .withMessageContaining("a has the vote of term 4");
        vote.keep(new Vote(4, "a"));
        vote.restore();
        assertThat(file).hasContent(text(4, "a"));
        write(text(5, "b"));
        vote.keep(new Vote(5, "b"));
    }

    @Test
    void keepReportsNoSuchFile_whenVoteFileIsMissing() {
        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> vote.keep(Vote.NONE));
    }

    /** As Ratis reads it. */
    private Properties read() throws IOException {
        Properties properties = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
            properties.load(in);
        }
        return properties;
    }

    @Test
    void keepRejectsVoteFile_whenItIsTorn() throws Exception {
        write(text(3, "a"));
        vote.keep(Vote.NONE);
        write("");
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> vote.keep(Vote.NONE));
        vote.restore();
        assertThat(file).hasContent(text(3, "a"));
    }

    @Test
    void restoreDoesNothing_whenNoVoteWasKept() throws Exception {
        assertThat(vote.restore()).isFalse();
        write("");
        assertThat(vote.restore()).isFalse();
    }
}

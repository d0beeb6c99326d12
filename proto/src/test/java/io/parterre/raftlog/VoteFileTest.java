package io.parterre.raftlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
    void aVoteThatWasToldComesBackWhenTheNextCouldNotBeWritten() throws Exception {
        write(text(3, "a"));
        vote.keep();
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
    void aLaterVoteStays() throws Exception {
        write(text(3, "a"));
        vote.keep();
        write(text(4, ""));
        assertThat(vote.restore()).isFalse();
        assertThat(file).hasContent(text(4, ""));
        vote.keep();
        vote.keep();
        write("");
        assertThat(vote.restore()).isTrue();
        assertThat(file).hasContent(text(4, ""));
    }

    @Test
    void whatIsNotWholeIsNotKept() throws Exception {
        write(text(3, "a"));
        vote.keep();
        write("");
        assertThatExceptionOfType(IOException.class).isThrownBy(vote::keep);
        vote.restore();
        assertThat(file).hasContent(text(3, "a"));
    }

    @Test
    void whereNothingWasKeptNothingIsRestored() throws Exception {
        assertThat(vote.restore()).isFalse();
        write("");
        assertThat(vote.restore()).isFalse();
    }
}

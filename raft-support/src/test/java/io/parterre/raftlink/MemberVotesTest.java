package io.parterre.raftlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.parterre.raftlog.VoteFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.server.raftlog.RaftLog;
import org.junit.jupiter.api.Test;

/** What is on disk when a member hears of a vote, and when it leads. */
final class MemberVotesTest extends GuardedMember {
    @Test
    void voteIsSynced_beforeReplyIsSent() throws Exception {
        server.requestVote(vote(3, false));
        assertThat(events).containsExactly("requestVote", sync());
    }

    /** A node that led many ranges is lost: a survivor votes in all of them at once. */
    @Test
    void voteIsSynced_whileVoteOfAnotherGroupAwaitsDisk() throws Exception {
        slowFolder = folder(OTHER_GROUP);
        RequestVoteRequestProto slow =
                vote(3, false).toBuilder().setServerRequest(request(OTHER_GROUP)).build();
        CompletableFuture<Void> first = CompletableFuture.runAsync(() -> ask(slow));
        syncing.await();
        server.requestVote(vote(3, false));
        assertThat(events).contains(sync());
        assertThat(first).isNotDone();
        diskWorks.countDown();
        first.get(1, TimeUnit.MINUTES);
    }

    private void ask(RequestVoteRequestProto vote) {
        try {
            server.requestVote(vote);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The file may be older: it is for the keeper to see to it. */
    @Test
    void syncedVoteMatchesReply_forVotesAppendsAndOwnElection() throws Exception {
        voted = true;
        server.requestVote(vote(3, false));
        assertThat(told).isEqualTo(new VoteFile.Vote(3, "other"));
        voted = false;
        server.requestVote(vote(4, false));
        assertThat(told).as("a refusal promises nothing").isEqualTo(VoteFile.Vote.NONE);
        appended.complete(AppendEntriesReplyProto.getDefaultInstance());
        server.appendEntriesAsync(append(5));
        assertThat(told).isEqualTo(VoteFile.Vote.inTerm(5));
        calls.leads(division);
        assertThat(told).isEqualTo(new VoteFile.Vote(7, "self"));
    }

    @Test
    void preVoteRequestSyncsNothing() throws Exception {
        server.requestVote(vote(3, true));
        assertThat(events).containsExactly("requestVote");
    }

    @Test
    void voteRequestFails_whenVoteSyncFails() {
        diskFails = true;
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> server.requestVote(vote(3, false)));
        assertThat(failures).hasSize(1);
    }

    /** Ratis may have it vote for itself at the very same moment. */
    @Test
    void memberDoesNotLead_whenItVotedForAnotherInThatTerm() throws Exception {
        voted = true;
        server.requestVote(vote(7, false));
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> calls.leads(division))
                .withMessageContaining("vote of term 7");
        assertThat(failures).as("it ends, and begins in a later term").hasSize(1);
    }

    @Test
    void memberLeads_whenItVotedForAnotherInEarlierTerm() throws Exception {
        voted = true;
        server.requestVote(vote(6, false));
        calls.leads(division);
        assertThat(told).isEqualTo(new VoteFile.Vote(7, "self"));
        assertThat(failures).isEmpty();
    }

    /** Votes under way have one file under the same name. */
    @Test
    void noDiskFailureIsReported_whenVoteFileIsMissing() {
        refusal = Optional.of(new NoSuchFileException("raft-meta.tmp"));
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> server.requestVote(vote(3, false)));
        assertThat(failures).isEmpty();
    }

    @Test
    void lastEntryIsTold_unlessLogIsEmpty() throws Exception {
        for (boolean preVote : new boolean[] {false, true}) {
            lastEntry = entry(3, 8);
            assertThat(server.requestVote(vote(4, preVote)).getLastEntry()).isEqualTo(lastEntry);
            lastEntry = entry(0, RaftLog.INVALID_LOG_INDEX);
            assertThat(server.requestVote(vote(4, preVote)).hasLastEntry()).isFalse();
        }
    }

    @Test
    void voteAndPreVoteAreRejected_whileVoteGateIsClosed() {
        gateClosed = true;
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> server.requestVote(vote(3, false)));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> server.requestVote(vote(3, true)));
        assertThat(events).isEmpty();
        assertThat(failures).isEmpty();
    }

    @Test
    void leadershipIsNotTaken_whileVoteGateIsClosed() throws Exception {
        StartLeaderElectionRequestProto election =
                StartLeaderElectionRequestProto.newBuilder()
                        .setServerRequest(vote(3, false).getServerRequest())
                        .build();
        server.startLeaderElection(election);
        assertThat(events).containsExactly("startLeaderElection");
        gateClosed = true;
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> server.startLeaderElection(election));
        assertThat(events).hasSize(1);
    }

    @Test
    void leaderSyncsItsOwnVoteOnce_beforeLeading() {
        calls.leads(division);
        calls.leads(division);
        assertThat(events).containsExactly(sync());
    }

    @Test
    void leadershipStartWaits_untilLogTruncationIsDone() throws Exception {
        CompletableFuture<Void> cut = durableLog.cut(8);
        CompletableFuture<Void> leads = CompletableFuture.runAsync(() -> calls.leads(division));
        cut.get();
        assertThat(leads).isNotDone();
        assertThat(events).as("it is told to nobody yet").isEmpty();
        durableLog.writing();
        leads.join();
        assertThat(events).containsExactly(sync());
        assertThat(failures).isEmpty();
    }

    @Test
    void diskFailureIsReported_whenVoteCannotBeWritten() {
        refusal = Optional.of(new IOException("no space"));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> server.requestVote(vote(3, false)));
        assertThat(failures).hasSize(1);
    }
}

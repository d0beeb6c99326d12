package io.parterre.raftlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.RaftException;
import org.junit.jupiter.api.Test;

/** What is on disk when a leader hears that a member has taken entries or a copy. */
final class MemberAppendsTest extends GuardedMember {
    @Test
    void newTermIsSynced_beforeFirstEntriesAreAcked() throws Exception {
        CompletableFuture<AppendEntriesReplyProto> answer = server.appendEntriesAsync(append(4));
        assertThat(events).containsExactly("appendEntriesAsync");
        appended.complete(AppendEntriesReplyProto.getDefaultInstance());
        assertThat(answer).isCompleted();
        assertThat(events).containsExactly("appendEntriesAsync", sync());

        server.appendEntriesAsync(append(4));
        assertThat(events).as("once a term").hasSize(3);
        server.appendEntriesAsync(append(5));
        assertThat(events.get(events.size() - 1)).isEqualTo(sync());
    }

    /** Ratis tells the leader's once it has any of its entries on disk. */
    @Test
    void toldCommitIndexIsThatOfEntriesOnDisk() throws Exception {
        appended.complete(
                AppendEntriesReplyProto.newBuilder()
                        .setResult(AppendResult.SUCCESS)
                        .setFollowerCommit(8)
                        .build());
        assertThat(server.appendEntriesAsync(append(4)).join().getFollowerCommit()).isEqualTo(8);
        committedIndex = 6;
        assertThat(server.appendEntriesAsync(append(4)).join().getFollowerCommit()).isEqualTo(6);
    }

    @Test
    void appendIsNotAcked_whileEntriesAreOnlyInMemory() throws Exception {
        AppendEntriesRequestProto entry =
                append(4).toBuilder().addEntries(LogEntryProto.newBuilder().setIndex(9)).build();
        appended.complete(
                AppendEntriesReplyProto.newBuilder().setResult(AppendResult.SUCCESS).build());
        flushedIndex = 8;
        assertThat(server.appendEntriesAsync(entry)).isCompletedExceptionally();
        flushedIndex = 9;
        assertThat(server.appendEntriesAsync(entry)).isCompleted();
    }

    @Test
    void repeatedAppendWaitsForFirstOne_whileEntriesAreInMemory() throws Exception {
        AppendEntriesRequestProto entry =
                append(4).toBuilder().addEntries(LogEntryProto.newBuilder().setIndex(9)).build();
        AppendEntriesReplyProto success =
                AppendEntriesReplyProto.newBuilder().setResult(AppendResult.SUCCESS).build();
        flushedIndex = 8;
        CompletableFuture<AppendEntriesReplyProto> writing = appended;
        CompletableFuture<?> first = server.appendEntriesAsync(entry);
        appended = CompletableFuture.completedFuture(success);
        CompletableFuture<?> repeat = server.appendEntriesAsync(entry);
        assertThat(repeat).isNotDone();

        flushedIndex = 9;
        writing.complete(success);
        assertThat(first).isCompleted();
        assertThat(repeat).isCompleted();
    }

    /** Ratis takes a repeat for written: it has the entries in memory, and the old end on disk. */
    @Test
    void repeatedAppendIsNotAcked_untilOldEntriesAreTruncated() throws Exception {
        AppendEntriesRequestProto entry =
                append(4).toBuilder().addEntries(LogEntryProto.newBuilder().setIndex(9)).build();
        appended.complete(
                AppendEntriesReplyProto.newBuilder().setResult(AppendResult.SUCCESS).build());
        flushedIndex = 15;
        CompletableFuture<Void> cut = durableLog.cut(8);
        assertThat(server.appendEntriesAsync(entry)).isCompletedExceptionally();
        cut.get();
        assertThat(server.appendEntriesAsync(entry))
                .as("the log tells of the old end yet")
                .isCompletedExceptionally();
        flushedIndex = 7;
        durableLog.writing();
        assertThat(server.appendEntriesAsync(entry)).isCompletedExceptionally();
        flushedIndex = 9;
        assertThat(server.appendEntriesAsync(entry)).isCompleted();
    }

    @Test
    void snapshotInstallIsRejected_whileLogTruncationIsPending() throws Exception {
        InstallSnapshotRequestProto install =
                InstallSnapshotRequestProto.newBuilder()
                        .setServerRequest(request())
                        .setLeaderTerm(4)
                        .build();
        CompletableFuture<Void> cut = durableLog.cut(8);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> server.installSnapshot(install));
        assertThat(events).isEmpty();
        cut.get();
        durableLog.writing();
        server.installSnapshot(install);
        assertThat(events).containsExactly("installSnapshot", sync());
    }

    @Test
    void termIsSyncedAgain_whenVoteInThatTermWasRejected() throws Exception {
        server.requestVote(vote(4, false));
        appended.complete(AppendEntriesReplyProto.getDefaultInstance());
        server.appendEntriesAsync(append(4));
        assertThat(events).containsExactly("requestVote", sync(), "appendEntriesAsync", sync());
    }

    @Test
    void termIsSyncedAgain_whenGroupIsRecreated() throws Exception {
        appended.complete(AppendEntriesReplyProto.getDefaultInstance());
        server.appendEntriesAsync(append(4));
        durableLog = new DurableLog(index -> {});
        events.clear();
        server.appendEntriesAsync(append(4));
        assertThat(events).containsExactly("appendEntriesAsync", sync());
    }

    /** As of chunks that come twice; the leader begins again. */
    @Test
    void noDiskFailureIsReported_whenSnapshotIsRejected() {
        refusal = Optional.of(new IOException("Snapshot request already failed"));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(
                        () ->
                                server.installSnapshot(
                                        InstallSnapshotRequestProto.newBuilder()
                                                .setServerRequest(request())
                                                .build()));
        assertThat(failures).isEmpty();
    }

    /** Removing a group with its log, changing members, proposing: no member asks for any of it. */
    @Test
    void clientAndAdminCallsAreRejected_whenTheyComeByNetwork() {
        GroupManagementRequest remove =
                GroupManagementRequest.newRemove(
                        ClientId.randomId(), RaftPeerId.valueOf("m"), 1, GROUP, true, false);
        assertThatExceptionOfType(RaftException.class)
                .isThrownBy(() -> server.groupManagement(remove));
        assertThat(server.groupManagementAsync(remove)).isCompletedExceptionally();
        assertThat(events).isEmpty();
    }
}

package io.parterre.raftlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.parterre.crash.CrashHook;
import io.parterre.raftlog.VoteFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcReplyProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.RaftException;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.statemachine.StateMachine;
import org.apache.ratis.util.ProtoUtils;
import org.junit.jupiter.api.Test;

/** What is on disk when a member hears of a vote or a term. */
final class MemberCallsTest {
    private static final RaftGroupId GROUP = RaftGroupId.randomId();
    private static final RaftGroupId OTHER_GROUP = RaftGroupId.randomId();
    private static final Path LOGS = Path.of("logs");

    private final List<String> events = new CopyOnWriteArrayList<>();
    private final List<IOException> failures = new ArrayList<>();
    private VoteFile.Vote told = VoteFile.Vote.NONE;
    private boolean diskFails;
    private volatile Path slowFolder = Path.of("none");
    private final CountDownLatch syncing = new CountDownLatch(1);
    private final CountDownLatch diskWorks = new CountDownLatch(1);
    private boolean gateClosed;
    private long committedIndex = 100;
    private boolean voted;
    private TermIndexProto lastEntry = entry(3, 8);
    private long flushedIndex;
    private DurableLog durableLog = new DurableLog(index -> {});
    private Optional<IOException> refusal = Optional.empty();

    private final MemberCalls calls =
            new MemberCalls(LOGS, this::sync, CrashHook.none(), failures::add, new Gate());
    private CompletableFuture<AppendEntriesReplyProto> appended = new CompletableFuture<>();
    private final RaftServer.Division division = division();
    private final RaftServer server = calls.guarded(server());

    private void sync(Path folder, VoteFile.Vote vote) throws IOException {
        if (folder.equals(slowFolder)) {
            syncing.countDown();
            awaitDisk();
        }
        told = vote;
        events.add("sync of " + folder);
        if (diskFails) {
            throw new IOException("no");
        }
    }

    private void awaitDisk() throws IOException {
        try {
            diskWorks.await();
        } catch (InterruptedException interrupted) {
            throw new IOException(interrupted);
        }
    }

    private final class Gate implements MemberCalls.VoteGate {
        @Override
        public void pass(RaftServer asked, RaftGroupId groupId, String candidate)
                throws IOException {
            if (gateClosed) {
                throw new IOException("no vote for " + candidate);
            }
        }

        @Override
        public boolean mayStand(RaftGroupId groupId) {
            return !gateClosed;
        }
    }

    private RaftServer server() {
        return (RaftServer)
                Proxy.newProxyInstance(
                        RaftServer.class.getClassLoader(),
                        new Class<?>[] {RaftServer.class},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("getDivision")) {
                                return division;
                            }
                            events.add(method.getName());
                            if (refusal.isPresent()) {
                                throw refusal.get();
                            }
                            return switch (method.getName()) {
                                case "appendEntriesAsync" -> appended;
                                case "startLeaderElection" ->
                                        StartLeaderElectionReplyProto.getDefaultInstance();
                                case "installSnapshot" ->
                                        InstallSnapshotReplyProto.getDefaultInstance();
                                default ->
                                        RequestVoteReplyProto.newBuilder()
                                                .setLastEntry(lastEntry)
                                                .setServerReply(
                                                        RaftRpcReplyProto.newBuilder()
                                                                .setSuccess(voted))
                                                .build();
                            };
                        });
    }

    private RaftServer.Division division() {
        return fake(
                RaftServer.Division.class,
                Map.of(
                        "getRaftLog",
                        () ->
                                fake(
                                        RaftLog.class,
                                        Map.of(
                                                "getFlushIndex",
                                                () -> flushedIndex,
                                                "getLastCommittedIndex",
                                                () -> committedIndex)),
                        "getStateMachine",
                        () -> machine(durableLog),
                        "getMemberId",
                        () -> RaftGroupMemberId.valueOf(RaftPeerId.valueOf("self"), GROUP),
                        "getInfo",
                        () -> fake(DivisionInfo.class, Map.of("getCurrentTerm", () -> 7L))));
    }

    private static <T> T fake(Class<T> type, Map<String, Supplier<Object>> answers) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> answers.get(method.getName()).get()));
    }

    /** Of a group that is there; one that is made again has another. */
    private static StateMachine machine(DurableLog log) {
        return (StateMachine)
                Proxy.newProxyInstance(
                        DurableLog.Owner.class.getClassLoader(),
                        new Class<?>[] {StateMachine.class, DurableLog.Owner.class},
                        (proxy, method, arguments) -> log);
    }

    private static String sync() {
        return "sync of " + folder(GROUP);
    }

    private static Path folder(RaftGroupId groupId) {
        return LOGS.resolve(groupId.getUuid().toString()).resolve("current");
    }

    private static RaftRpcRequestProto.Builder request() {
        return request(GROUP);
    }

    private static RaftRpcRequestProto.Builder request(RaftGroupId groupId) {
        return RaftRpcRequestProto.newBuilder()
                .setRequestorId(RaftPeerId.valueOf("other").toByteString())
                .setReplyId(RaftPeerId.valueOf("self").toByteString())
                .setRaftGroupId(ProtoUtils.toRaftGroupIdProtoBuilder(groupId));
    }

    private static RequestVoteRequestProto vote(long term, boolean preVote) {
        return RequestVoteRequestProto.newBuilder()
                .setServerRequest(request())
                .setCandidateTerm(term)
                .setPreVote(preVote)
                .build();
    }

    private static AppendEntriesRequestProto append(long term) {
        return AppendEntriesRequestProto.newBuilder()
                .setServerRequest(request())
                .setLeaderTerm(term)
                .build();
    }

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

    private static TermIndexProto entry(long term, long index) {
        return TermIndexProto.newBuilder().setTerm(term).setIndex(index).build();
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
    void termIsSyncedAgain_whenVoteInThatTermWasRejected() throws Exception {
        server.requestVote(vote(4, false));
        appended.complete(AppendEntriesReplyProto.getDefaultInstance());
        server.appendEntriesAsync(append(4));
        assertThat(events).containsExactly("requestVote", sync(), "appendEntriesAsync", sync());
    }

    @Test
    void leaderSyncsItsOwnVoteOnce_beforeLeading() {
        calls.leads(division);
        calls.leads(division);
        assertThat(events).containsExactly(sync());
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

    @Test
    void diskFailureIsReported_whenVoteCannotBeWritten() {
        refusal = Optional.of(new IOException("no space"));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> server.requestVote(vote(3, false)));
        assertThat(failures).hasSize(1);
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

package io.parterre.server.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.parterre.crash.CrashHook;
import io.parterre.server.store.StoreFailure;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.util.ProtoUtils;
import org.junit.jupiter.api.Test;

/** What is on disk when a member hears of a vote or a term. */
final class MemberCallsTest {
    private static final RaftGroupId GROUP = RaftGroupId.randomId();
    private static final Path LOGS = Path.of("logs");

    private final List<String> events = new ArrayList<>();
    private final List<StoreFailure> failures = new ArrayList<>();
    private boolean diskFails;
    private long flushedIndex;

    private final MemberCalls calls =
            new MemberCalls(LOGS, this::sync, CrashHook.none(), failures::add, new Comeback());
    private final CompletableFuture<AppendEntriesReplyProto> appended = new CompletableFuture<>();
    private final RaftServer server = calls.guarded(server());

    private void sync(Path folder) throws IOException {
        events.add("sync of " + folder);
        if (diskFails) {
            throw new IOException("no");
        }
    }

    private RaftServer server() {
        return (RaftServer)
                Proxy.newProxyInstance(
                        RaftServer.class.getClassLoader(),
                        new Class<?>[] {RaftServer.class},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("getDivision")) {
                                return fake(
                                        RaftServer.Division.class,
                                        fake(RaftLog.class, flushedIndex));
                            }
                            events.add(method.getName());
                            return method.getName().equals("appendEntriesAsync")
                                    ? appended
                                    : RequestVoteReplyProto.getDefaultInstance();
                        });
    }

    private static <T> T fake(Class<T> type, Object answer) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> answer));
    }

    private static String sync() {
        return "sync of " + LOGS.resolve(GROUP.getUuid().toString()).resolve("current");
    }

    private static RaftRpcRequestProto.Builder request() {
        return RaftRpcRequestProto.newBuilder()
                .setRequestorId(RaftPeerId.valueOf("other").toByteString())
                .setReplyId(RaftPeerId.valueOf("self").toByteString())
                .setRaftGroupId(ProtoUtils.toRaftGroupIdProtoBuilder(GROUP));
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
    void aVoteIsOnDiskBeforeItIsTold() throws Exception {
        server.requestVote(vote(3, false));
        assertThat(events).containsExactly("requestVote", sync());
    }

    @Test
    void whoIsOnlyAskedWhetherItWouldVoteHasNothingToKeep() throws Exception {
        server.requestVote(vote(3, true));
        assertThat(events).containsExactly("requestVote");
    }

    @Test
    void aVoteThatIsNotOnDiskIsNotTold() {
        diskFails = true;
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> server.requestVote(vote(3, false)));
        assertThat(failures).hasSize(1);
    }

    @Test
    void theTermOfALeaderIsOnDiskBeforeItsFirstEntriesAreAcknowledged() throws Exception {
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

    @Test
    void aVoteThatWasRefusedIsNoTermThatIsOnDisk() throws Exception {
        server.requestVote(vote(4, false));
        appended.complete(AppendEntriesReplyProto.getDefaultInstance());
        server.appendEntriesAsync(append(4));
        assertThat(events).containsExactly("requestVote", sync(), "appendEntriesAsync", sync());
    }

    @Test
    void aLeadersOwnVoteIsOnDiskBeforeItSendsAnything() {
        calls.leads(GROUP, 7);
        calls.leads(GROUP, 7);
        assertThat(events).containsExactly(sync());
    }

    @Test
    void entriesThatAreInMemoryOnlyAreNotAcknowledged() throws Exception {
        AppendEntriesRequestProto entry =
                append(4).toBuilder().addEntries(LogEntryProto.newBuilder().setIndex(9)).build();
        appended.complete(
                AppendEntriesReplyProto.newBuilder().setResult(AppendResult.SUCCESS).build());
        flushedIndex = 8;
        assertThat(server.appendEntriesAsync(entry)).isCompletedExceptionally();
        flushedIndex = 9;
        assertThat(server.appendEntriesAsync(entry)).isCompleted();
    }
}

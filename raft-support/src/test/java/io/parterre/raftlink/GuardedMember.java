package io.parterre.raftlink;

import io.parterre.crash.CrashHook;
import io.parterre.raftlog.VoteFile;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcReplyProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.statemachine.StateMachine;
import org.apache.ratis.util.ProtoUtils;

/** A member whose calls are guarded, and whose server, log and disk do as a test says. */
abstract class GuardedMember {
    static final RaftGroupId GROUP = RaftGroupId.randomId();
    static final RaftGroupId OTHER_GROUP = RaftGroupId.randomId();
    private static final Path LOGS = Path.of("logs");

    final List<String> events = new CopyOnWriteArrayList<>();
    final List<IOException> failures = new ArrayList<>();
    VoteFile.Vote told = VoteFile.Vote.NONE;
    boolean diskFails;
    volatile Path slowFolder = Path.of("none");
    final CountDownLatch syncing = new CountDownLatch(1);
    final CountDownLatch diskWorks = new CountDownLatch(1);
    boolean gateClosed;
    long committedIndex = 100;
    boolean voted;
    TermIndexProto lastEntry = entry(3, 8);
    long flushedIndex;
    DurableLog durableLog = new DurableLog(index -> {});
    Optional<IOException> refusal = Optional.empty();

    final MemberCalls calls =
            new MemberCalls(LOGS, this::sync, CrashHook.none(), failures::add, new Gate());
    CompletableFuture<AppendEntriesReplyProto> appended = new CompletableFuture<>();
    final RaftServer.Division division = division();
    final RaftServer server = calls.guarded(server());

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

    static String sync() {
        return "sync of " + folder(GROUP);
    }

    static Path folder(RaftGroupId groupId) {
        return LOGS.resolve(groupId.getUuid().toString()).resolve("current");
    }

    static RaftRpcRequestProto.Builder request() {
        return request(GROUP);
    }

    static RaftRpcRequestProto.Builder request(RaftGroupId groupId) {
        return RaftRpcRequestProto.newBuilder()
                .setRequestorId(RaftPeerId.valueOf("other").toByteString())
                .setReplyId(RaftPeerId.valueOf("self").toByteString())
                .setRaftGroupId(ProtoUtils.toRaftGroupIdProtoBuilder(groupId));
    }

    static RequestVoteRequestProto vote(long term, boolean preVote) {
        return RequestVoteRequestProto.newBuilder()
                .setServerRequest(request())
                .setCandidateTerm(term)
                .setPreVote(preVote)
                .build();
    }

    static AppendEntriesRequestProto append(long term) {
        return AppendEntriesRequestProto.newBuilder()
                .setServerRequest(request())
                .setLeaderTerm(term)
                .build();
    }

    static TermIndexProto entry(long term, long index) {
        return TermIndexProto.newBuilder().setTerm(term).setIndex(index).build();
    }
}

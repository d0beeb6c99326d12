package io.parterre.raftlink;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.ProtoUtils;
import org.junit.jupiter.api.Test;

final class HeardAppendsTest {
    private record Heard(long atNanos, long term, long committedIndex) {}

    private final List<Heard> heard = new ArrayList<>();
    private final List<Duration> delays = new ArrayList<>();
    private final EntryRoom room = new EntryRoom();
    private AppendResult result = AppendResult.SUCCESS;

    private final RaftServer server =
            new HeardAppends(
                            (groupId, atNanos, term, committed) ->
                                    heard.add(new Heard(atNanos, term, committed)),
                            room,
                            () -> 7,
                            this::alarm)
                    .watched(
                            (RaftServer)
                                    Proxy.newProxyInstance(
                                            RaftServer.class.getClassLoader(),
                                            new Class<?>[] {RaftServer.class},
                                            (proxy, method, arguments) ->
                                                    CompletableFuture.completedFuture(
                                                            AppendEntriesReplyProto.newBuilder()
                                                                    .setResult(result)
                                                                    .build())));

    private Runnable alarm(Duration delay, Runnable task) {
        delays.add(delay);
        task.run();
        return () -> {};
    }

    private static AppendEntriesRequestProto.Builder heartbeat() {
        return AppendEntriesRequestProto.newBuilder()
                .setServerRequest(
                        RaftRpcRequestProto.newBuilder()
                                .setRequestorId(ByteString.copyFromUtf8("leader"))
                                .setRaftGroupId(
                                        ProtoUtils.toRaftGroupIdProtoBuilder(
                                                RaftGroupId.randomId())))
                .setLeaderTerm(3);
    }

    private static CommitInfoProto committed(String node, long index) {
        return CommitInfoProto.newBuilder()
                .setServer(RaftPeerProto.newBuilder().setId(ByteString.copyFromUtf8(node)))
                .setCommitIndex(index)
                .build();
    }

    /** One that overtakes entries says 0, another one only what the follower has after it. */
    @Test
    void leaderCommitIndexIsTaken_fromItsCommitInfo() throws Exception {
        server.appendEntriesAsync(
                        heartbeat()
                                .setLeaderCommit(0)
                                .addCommitInfos(committed("follower", 5))
                                .addCommitInfos(committed("leader", 42))
                                .build())
                .join();
        assertThat(heard).containsExactly(new Heard(7, 3, 42));
    }

    @Test
    void appendIsNotHeard_whenCommitInfoIsMissingOrAppendFailed() throws Exception {
        server.appendEntriesAsync(
                        heartbeat()
                                .setLeaderCommit(42)
                                .addCommitInfos(committed("follower", 42))
                                .build())
                .join();
        result = AppendResult.INCONSISTENCY;
        server.appendEntriesAsync(heartbeat().addCommitInfos(committed("leader", 42)).build())
                .join();
        assertThat(heard).isEmpty();
    }

    @Test
    void entriesAreRefusedAndHeartbeatsPass_whenDiskHasNoRoom() throws Exception {
        AppendEntriesRequestProto entry =
                heartbeat()
                        .addCommitInfos(committed("leader", 42))
                        .addEntries(LogEntryProto.getDefaultInstance())
                        .build();
        room.seen(entry.getSerializedSize());
        server.appendEntriesAsync(entry).join();
        assertThat(server.appendEntriesAsync(entry))
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("the disk is full");
        assertThat(delays).as("who is refused calls again at once").hasSize(1);
        server.appendEntriesAsync(heartbeat().addCommitInfos(committed("leader", 43)).build())
                .join();
        assertThat(heard).hasSize(2);

        room.seen(Long.MAX_VALUE);
        server.appendEntriesAsync(entry).join();
        assertThat(heard).hasSize(3);
    }
}

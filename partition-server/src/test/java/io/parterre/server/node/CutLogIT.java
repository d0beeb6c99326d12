package io.parterre.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parterre.crash.CrashHook;
import io.parterre.key.KeyRange;
import io.parterre.raftlink.MemberCalls;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.command.Member;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.ProtoUtils;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A follower's log on disk while a new leader's entries take the place of older ones. */
@Timeout(120)
final class CutLogIT {
    private static final RangeId RANGE = new RangeId(1);
    private static final RaftGroupId GROUP = RaftGroupId.valueOf(RANGE.groupId());
    private static final NodeId SELF = new NodeId("node-1");
    private static final NodeId OLD_LEADER = new NodeId("node-2");
    private static final NodeId NEW_LEADER = new NodeId("node-3");

    @TempDir Path folder;

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final BlockingQueue<StoreFailure> failures = new LinkedBlockingQueue<>();
    private final CountDownLatch disk = new CountDownLatch(1);
    private volatile boolean diskHangs;
    private long callId;

    @AfterEach
    void stop() {
        disk.countDown();
        scheduler.shutdownNow();
    }

    private void reached(CrashPoint point) {
        if (point == CrashPoint.BEFORE_LOG_SYNC && diskHangs) {
            try {
                disk.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private SoleNode node() {
        return new SoleNode(SELF, folder, scheduler, failures::add).withCrash(this::reached);
    }

    private static Replicas host(Replicas replicas) throws IOException {
        replicas.membership()
                .host(
                        new HostedRange(
                                new RangeDescriptor(
                                        RANGE,
                                        KeyRange.ALL,
                                        Generation.FIRST,
                                        List.of(SELF, OLD_LEADER, NEW_LEADER)),
                                List.of(
                                        new Member(SELF, replicas.raftAddress(), ""),
                                        new Member(OLD_LEADER, "127.0.0.1:1", ""),
                                        new Member(NEW_LEADER, "127.0.0.1:1", ""))));
        return replicas;
    }

    private static LogEntryProto entry(long term, long index) {
        return LogEntryProto.newBuilder()
                .setTerm(term)
                .setIndex(index)
                .setStateMachineLogEntry(
                        StateMachineLogEntryProto.newBuilder()
                                .setType(StateMachineLogEntryProto.Type.WRITE)
                                .setClientId(ClientId.randomId().toByteString())
                                .setCallId(index)
                                .setLogData(ByteString.copyFromUtf8("never applied")))
                .build();
    }

    /** From the entry behind {@code previous} on; nothing of it is committed. */
    private AppendEntriesRequestProto append(
            NodeId leader, long term, TermIndex previous, int entries) {
        AppendEntriesRequestProto.Builder request =
                AppendEntriesRequestProto.newBuilder()
                        .setServerRequest(
                                RaftRpcRequestProto.newBuilder()
                                        .setRequestorId(
                                                RaftPeerId.valueOf(leader.value()).toByteString())
                                        .setReplyId(RaftPeerId.valueOf(SELF.value()).toByteString())
                                        .setRaftGroupId(ProtoUtils.toRaftGroupIdProtoBuilder(GROUP))
                                        .setCallId(callId++))
                        .setLeaderTerm(term)
                        .setLeaderCommit(-1);
        request.setPreviousLog(previous.toProto());
        for (int i = 1; i <= entries; i++) {
            request.addEntries(entry(term, previous.getIndex() + i));
        }
        return request.build();
    }

    private static AppendResult result(CompletableFuture<AppendEntriesReplyProto> answer)
            throws Exception {
        return answer.get(60, TimeUnit.SECONDS).getResult();
    }

    /**
     * As when the connection breaks while the disk hangs: the leader sends again what it has sent,
     * and Ratis has it in memory.
     */
    @Test
    void duplicateAppendIsNotAcked_whileOldLogTailIsOnDisk() throws Exception {
        PartitionServerMetrics metrics = new PartitionServerMetrics(new SimpleMeterRegistry());
        SoleNode node = node();
        try (ServerStore store = node.openStore(metrics);
                Replicas replicas = host(node.start(store, metrics))) {
            RaftServer server =
                    new MemberCalls(
                                    folder.resolve("raft"),
                                    (votes, told) -> {},
                                    CrashHook.none(),
                                    failure -> {},
                                    MemberCalls.VoteGate.open())
                            .guarded(replicas.host().server());
            TermIndex nothing = TermIndex.valueOf(1, 10);
            assertThat(result(server.appendEntriesAsync(append(OLD_LEADER, 11, nothing, 10))))
                    .isEqualTo(AppendResult.SUCCESS);
            diskHangs = true;
            TermIndex last = TermIndex.valueOf(11, 20);
            CompletableFuture<AppendEntriesReplyProto> unwritten =
                    server.appendEntriesAsync(append(OLD_LEADER, 11, last, 1));
            TermIndex common = TermIndex.valueOf(11, 15);
            CompletableFuture<AppendEntriesReplyProto> first =
                    server.appendEntriesAsync(append(NEW_LEADER, 12, common, 3));
            assertThatExceptionOfType(ExecutionException.class)
                    .as("entries 16 to 20 of term 11 are on disk")
                    .isThrownBy(
                            () ->
                                    result(
                                            server.appendEntriesAsync(
                                                    append(NEW_LEADER, 12, common, 3))))
                    .withMessageContaining("not on disk");
            assertThat(first).isNotDone();
            assertThat(unwritten).isNotDone();

            diskHangs = false;
            disk.countDown();
            Awaitility.await()
                    .ignoreExceptions()
                    .until(
                            () ->
                                    result(
                                                    server.appendEntriesAsync(
                                                            append(NEW_LEADER, 12, common, 3)))
                                            == AppendResult.SUCCESS);
            assertThat(server.getDivision(GROUP).getRaftLog().getFlushIndex()).isEqualTo(18);
        }
        assertThat(failures).isEmpty();
    }
}

package io.parterre.server;

import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.proto.grpc.RaftServerProtocolServiceGrpc;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.ManagedChannel;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyChannelBuilder;
import org.apache.ratis.util.ProtoUtils;

/** Asks for votes as a candidate does whose vote was on its way for long after the pre-vote. */
final class LateVote {
    /** Beyond any that elections come to in a test. */
    private static final long TERM = 1_000;

    private static final long LAST_INDEX = 1_000_000;

    private LateVote() {}

    /**
     * Asks a member for its vote, in the name of another one.
     *
     * @return whether it was given
     */
    static boolean isGiven(RunningServer voter, String voterName, String candidate) {
        ManagedChannel channel =
                NettyChannelBuilder.forTarget(voter.server.raftAddress()).usePlaintext().build();
        try {
            return RaftServerProtocolServiceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(20, TimeUnit.SECONDS)
                    .requestVote(request(voterName, candidate))
                    .getServerReply()
                    .getSuccess();
        } catch (StatusRuntimeException refused) {
            return false;
        } finally {
            channel.shutdownNow();
        }
    }

    private static RequestVoteRequestProto request(String voter, String candidate) {
        return RequestVoteRequestProto.newBuilder()
                .setServerRequest(
                        RaftRpcRequestProto.newBuilder()
                                .setRequestorId(ByteString.copyFromUtf8(candidate))
                                .setReplyId(ByteString.copyFromUtf8(voter))
                                .setRaftGroupId(
                                        ProtoUtils.toRaftGroupIdProtoBuilder(
                                                RaftGroupId.valueOf(TestCluster.RANGE.groupId()))))
                .setCandidateTerm(TERM)
                .setCandidateLastEntry(
                        TermIndexProto.newBuilder().setTerm(TERM).setIndex(LAST_INDEX))
                .build();
    }
}

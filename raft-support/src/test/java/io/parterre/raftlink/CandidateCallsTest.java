package io.parterre.raftlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.RaftRpcReplyProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.ProtoUtils;
import org.junit.jupiter.api.Test;

final class CandidateCallsTest {
    private static final RaftGroupId GROUP = RaftGroupId.randomId();
    private static final RequestVoteReplyProto GRANTED =
            RequestVoteReplyProto.newBuilder()
                    .setTerm(7)
                    .setShouldShutdown(true)
                    .setServerReply(
                            RaftRpcReplyProto.newBuilder().setCallId(5).setSuccess(true).build())
                    .build();

    private final List<RequestVoteRequestProto> asked = new ArrayList<>();

    private static RequestVoteRequestProto call(boolean preVote) {
        return RequestVoteRequestProto.newBuilder()
                .setServerRequest(
                        RaftRpcRequestProto.newBuilder()
                                .setRaftGroupId(ProtoUtils.toRaftGroupIdProtoBuilder(GROUP)))
                .setCandidateTerm(6)
                .setCandidateLastEntry(TermIndexProto.newBuilder().setTerm(6).setIndex(80))
                .setPreVote(preVote)
                .build();
    }

    private RequestVoteReplyProto answer(RequestVoteRequestProto call) {
        asked.add(call);
        return GRANTED;
    }

    private record Gate(boolean open) implements MemberCalls.VoteGate {
        @Override
        public void pass(RaftServer server, RaftGroupId groupId, String candidate) {
            throw new AssertionError("a call of this process is not one of another's");
        }

        @Override
        public boolean mayStand(RaftGroupId groupId) {
            return groupId.equals(GROUP) && open;
        }
    }

    @Test
    void callPassesUnchanged_whenMemberMayBeElected() throws Exception {
        for (boolean preVote : new boolean[] {true, false}) {
            RequestVoteRequestProto call = call(preVote);
            assertThat(CandidateCalls.requestVote(this::answer, new Gate(true), call))
                    .isSameAs(GRANTED);
            assertThat(asked).last().isSameAs(call);
        }
    }

    /** Granted, it would have the other wait before that stands itself. */
    @Test
    void preVoteIsThatOfAnEmptyLog_whenMemberMayNotBeElected() throws Exception {
        RequestVoteReplyProto reply =
                CandidateCalls.requestVote(this::answer, new Gate(false), call(true));
        assertThat(asked).hasSize(1);
        assertThat(asked.get(0).getCandidateLastEntry())
                .isEqualTo(TermIndexProto.newBuilder().setTerm(0).setIndex(-1).build());
        assertThat(reply.getServerReply().getSuccess()).isFalse();
        assertThat(reply.getServerReply().getCallId()).isEqualTo(5);
        assertThat(reply.getTerm()).isEqualTo(7);
        assertThat(reply.getShouldShutdown()).isTrue();
    }

    @Test
    void voteIsNotAskedFor_whenMemberMayNotBeElected() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(
                        () ->
                                CandidateCalls.requestVote(
                                        this::answer, new Gate(false), call(false)));
        assertThat(asked).isEmpty();
    }
}

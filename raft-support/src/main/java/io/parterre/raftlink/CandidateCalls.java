package io.parterre.raftlink;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.grpc.server.GrpcServicesImpl;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.TermIndexProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.util.ProtoUtils;

/**
 * Keeps this process from being elected in groups in which the process may not vote. Otherwise
 * members that never had some acknowledged entries could elect a member that lost these entries.
 * Stateless; safe for any thread.
 *
 * <p>The pre-vote is sent all the same, because the other members wait for calls of all members.
 * The pre-vote claims an empty log, and its answers count as refusals. A member that grants a
 * pre-vote waits before it becomes a candidate itself. If it granted pre-votes again and again, it
 * would never become one.
 */
final class CandidateCalls {
    private CandidateCalls() {}

    /** Gives access to the {@link GrpcServicesImpl}, a final class, behind the proxy. */
    private interface Guarded {
        GrpcServicesImpl services();
    }

    /** Returns the services for Ratis, with calls for votes guarded. */
    static GrpcServices guarded(GrpcServicesImpl services, MemberCalls.VoteGate gate) {
        return (GrpcServices)
                Proxy.newProxyInstance(
                        GrpcServices.class.getClassLoader(),
                        new Class<?>[] {GrpcServices.class, Guarded.class},
                        (proxy, method, arguments) -> call(services, gate, method, arguments));
    }

    /**
     * Returns the services behind the guard.
     *
     * @throws IllegalArgumentException if the services are of another kind
     */
    static GrpcServicesImpl unguarded(RaftServerRpc rpc) {
        if (rpc instanceof Guarded guarded) {
            return guarded.services();
        }
        if (rpc instanceof GrpcServicesImpl services) {
            return services;
        }
        throw new IllegalArgumentException("services: " + rpc.getClass());
    }

    private static Object call(
            GrpcServicesImpl services, MemberCalls.VoteGate gate, Method method, Object[] arguments)
            throws Throwable {
        if (method.getDeclaringClass() == Guarded.class) {
            return services;
        }
        if (arguments != null
                && arguments.length == 1
                && arguments[0] instanceof RequestVoteRequestProto call) {
            return requestVote(services::requestVote, gate, call);
        }
        return CalledServer.invoke(services, method, arguments);
    }

    /** Asks a member for its vote or pre-vote. */
    @FunctionalInterface
    interface Asked {
        RequestVoteReplyProto requestVote(RequestVoteRequestProto call) throws IOException;
    }

    static RequestVoteReplyProto requestVote(
            Asked member, MemberCalls.VoteGate gate, RequestVoteRequestProto call)
            throws IOException {
        RaftGroupId groupId = ProtoUtils.toRaftGroupId(call.getServerRequest().getRaftGroupId());
        if (gate.mayStand(groupId)) {
            return member.requestVote(call);
        }
        if (!call.getPreVote()) {
            throw new IOException("not to be elected in group " + groupId);
        }
        return refused(member.requestVote(withEmptyLog(call)));
    }

    private static RequestVoteRequestProto withEmptyLog(RequestVoteRequestProto call) {
        return call.toBuilder()
                .setCandidateLastEntry(
                        TermIndexProto.newBuilder().setTerm(0).setIndex(RaftLog.INVALID_LOG_INDEX))
                .build();
    }

    private static RequestVoteReplyProto refused(RequestVoteReplyProto reply) {
        return reply.toBuilder()
                .setServerReply(reply.getServerReply().toBuilder().setSuccess(false))
                .build();
    }
}

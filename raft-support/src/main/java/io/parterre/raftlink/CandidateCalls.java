package io.parterre.raftlink;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.grpc.server.GrpcServicesImpl;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.util.ProtoUtils;

/**
 * Keeps this process from being elected in groups in which the process may not vote. A member that
 * lost acknowledged entries would otherwise be elected by a member that never had them. The
 * pre-vote is sent all the same, because the others wait for calls of all members; its answers
 * count as refusals. Stateless; safe for any thread.
 */
final class CandidateCalls {
    private CandidateCalls() {}

    /** What {@link GrpcServicesImpl}, which is final, is needed for itself. */
    private interface Guarded {
        GrpcServicesImpl services();
    }

    /** The services as Ratis uses them. */
    static GrpcServices guarded(GrpcServicesImpl services, MemberCalls.VoteGate gate) {
        return (GrpcServices)
                Proxy.newProxyInstance(
                        GrpcServices.class.getClassLoader(),
                        new Class<?>[] {GrpcServices.class, Guarded.class},
                        (proxy, method, arguments) -> call(services, gate, method, arguments));
    }

    /**
     * The services behind the guard.
     *
     * @throws IllegalArgumentException if they are of another kind
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
            return requestVote(services, gate, call);
        }
        try {
            return method.invoke(services, arguments);
        } catch (InvocationTargetException failure) {
            throw failure.getCause();
        }
    }

    private static RequestVoteReplyProto requestVote(
            GrpcServicesImpl services, MemberCalls.VoteGate gate, RequestVoteRequestProto call)
            throws IOException {
        RaftGroupId groupId = ProtoUtils.toRaftGroupId(call.getServerRequest().getRaftGroupId());
        if (gate.mayStand(groupId)) {
            return services.requestVote(call);
        }
        if (!call.getPreVote()) {
            throw new IOException("not to be elected in group " + groupId);
        }
        return refused(services.requestVote(call));
    }

    /** The answer as a refusal. */
    static RequestVoteReplyProto refused(RequestVoteReplyProto reply) {
        return reply.toBuilder()
                .setServerReply(reply.getServerReply().toBuilder().setSuccess(false))
                .build();
    }
}

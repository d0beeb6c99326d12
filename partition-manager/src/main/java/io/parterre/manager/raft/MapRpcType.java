package io.parterre.manager.raft;

import io.parterre.raftlink.MemberCalls;
import io.parterre.raftlink.VoteGuard;
import java.time.Duration;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;

/**
 * Ratis over gRPC with votes that last, and a guard of them. Managers read by no lease, so no vote
 * waits. Ratis makes it by its class name.
 */
public final class MapRpcType implements RpcType {
    private static final String CALLS = "parterre.calls";

    static Parameters parameters(MemberCalls calls) {
        Parameters parameters = new Parameters();
        parameters.put(CALLS, calls, MemberCalls.class);
        return parameters;
    }

    @Override
    public String name() {
        return getClass().getName();
    }

    @Override
    public RpcFactory newFactory(Parameters parameters) {
        return new Factory(parameters);
    }

    private static final class Factory extends GrpcFactory {
        private final MemberCalls calls;

        Factory(Parameters parameters) {
            super(parameters);
            this.calls = parameters.get(CALLS, MemberCalls.class);
        }

        @Override
        public GrpcServices newRaftServerRpc(RaftServer server) {
            return super.newRaftServerRpc(
                    new VoteGuard(Duration.ZERO, Duration.ZERO, System::nanoTime)
                            .guarded(calls.guarded(server)));
        }

        @Override
        public LogAppender newLogAppender(
                RaftServer.Division server, LeaderState state, FollowerInfo follower) {
            calls.leads(server);
            return super.newLogAppender(server, state, follower);
        }
    }
}

package io.parterre.server.raft;

import io.parterre.raftlink.MemberCalls;
import io.parterre.raftlink.VoteGuard;
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
 * Ratis over gRPC with an appender that stops asking a follower to install what it has, which can
 * go when a release of Ratis has RATIS-2500 mended, with ears for what leaders send, with votes
 * that last, and a guard of them. Ratis makes it by its class name.
 */
public final class ReplicaRpcType implements RpcType {
    private static final String APPENDS = "parterre.appends";
    private static final String VOTES = "parterre.votes";

    private static final String CALLS = "parterre.calls";

    /** Parameters of a server whose followers are listened to, and whose votes last. */
    static Parameters parameters(HeardAppends appends, VoteGuard votes, MemberCalls calls) {
        Parameters parameters = new Parameters();
        parameters.put(CALLS, calls, MemberCalls.class);
        parameters.put(APPENDS, appends, HeardAppends.class);
        parameters.put(VOTES, votes, VoteGuard.class);
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
        private final HeardAppends appends;
        private final MemberCalls calls;
        private final VoteGuard votes;

        Factory(Parameters parameters) {
            super(parameters);
            this.appends = parameters.get(APPENDS, HeardAppends.class);
            this.calls = parameters.get(CALLS, MemberCalls.class);
            this.votes = parameters.get(VOTES, VoteGuard.class);
        }

        @Override
        public GrpcServices newRaftServerRpc(RaftServer server) {
            return super.newRaftServerRpc(appends.watched(votes.guarded(calls.guarded(server))));
        }

        @Override
        public LogAppender newLogAppender(
                RaftServer.Division server, LeaderState state, FollowerInfo follower) {
            votes.leads(server.getGroup().getGroupId());
            calls.leads(server);
            return new ReplicaLogAppender(server, state, follower);
        }
    }
}

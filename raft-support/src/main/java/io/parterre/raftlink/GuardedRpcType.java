package io.parterre.raftlink;

import java.util.function.UnaryOperator;
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
 * Ratis over gRPC with calls that are answered from what is on disk, votes that are guarded, and
 * optionally {@link HeardAppends} and {@link TrackingLogAppender}. Ratis makes it by its class
 * name, and hands it what {@link Setup#parameters()} holds.
 */
public final class GuardedRpcType implements RpcType {
    private static final String SETUP = "parterre.rpc";

    /**
     * What stands between the network and one Raft server.
     *
     * @param gate groups that are being added are not called
     * @param calls answers of members wait for the disk
     * @param votes when a vote has to wait
     * @param watch the server as its network sees it: {@link HeardAppends#watched}, or nothing more
     * @param appenders of the leaders
     */
    public record Setup(
            GroupStartGate gate,
            MemberCalls calls,
            VoteGuard votes,
            UnaryOperator<RaftServer> watch,
            Appenders appenders) {
        /** Parameters of the server that uses {@link GuardedRpcType}. */
        public Parameters parameters() {
            Parameters parameters = new Parameters();
            parameters.put(SETUP, this, Setup.class);
            return parameters;
        }
    }

    /** Who sends a leader's entries to its followers. */
    public enum Appenders {
        /** Ratis's own: a follower that fell behind is sent a snapshot by Ratis. */
        PLAIN,
        /** {@link TrackingLogAppender}; the state machines are {@link FollowerListener}s. */
        TRACKING
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
        private final Setup setup;

        Factory(Parameters parameters) {
            super(parameters);
            this.setup = parameters.get(SETUP, Setup.class);
        }

        @Override
        public GrpcServices newRaftServerRpc(RaftServer server) {
            RaftServer guarded =
                    setup.votes().guarded(setup.calls().guarded(setup.gate().guarded(server)));
            return super.newRaftServerRpc(setup.watch().apply(guarded));
        }

        @Override
        public LogAppender newLogAppender(
                RaftServer.Division server, LeaderState state, FollowerInfo follower) {
            setup.votes().leads(server.getGroup().getGroupId());
            setup.calls().leads(server);
            return switch (setup.appenders()) {
                case PLAIN -> super.newLogAppender(server, state, follower);
                case TRACKING -> new TrackingLogAppender(server, state, follower);
            };
        }
    }
}

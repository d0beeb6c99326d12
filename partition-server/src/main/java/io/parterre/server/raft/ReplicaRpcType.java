package io.parterre.server.raft;

import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;

/**
 * Ratis over gRPC with an appender that stops asking a follower to install what it has. Ratis makes
 * it by its class name. Can go when a release of Ratis has RATIS-2500 mended.
 */
public final class ReplicaRpcType implements RpcType {
    @Override
    public String name() {
        return getClass().getName();
    }

    @Override
    public RpcFactory newFactory(Parameters parameters) {
        return new Factory(parameters);
    }

    private static final class Factory extends GrpcFactory {
        Factory(Parameters parameters) {
            super(parameters);
        }

        @Override
        public LogAppender newLogAppender(
                RaftServer.Division server, LeaderState state, FollowerInfo follower) {
            return new ReplicaLogAppender(server, state, follower);
        }
    }
}

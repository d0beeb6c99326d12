package io.parterre.manager.raft;

import io.parterre.raftlink.VoteGuard;
import java.time.Duration;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;

/**
 * Ratis over gRPC with a guard of votes. Managers read by no lease, so no vote waits. Ratis makes
 * it by its class name.
 */
public final class MapRpcType implements RpcType {
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
        public GrpcServices newRaftServerRpc(RaftServer server) {
            return super.newRaftServerRpc(
                    new VoteGuard(Duration.ZERO, Duration.ZERO, System::nanoTime).guarded(server));
        }
    }
}

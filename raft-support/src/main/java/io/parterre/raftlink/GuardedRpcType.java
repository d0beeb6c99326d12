package io.parterre.raftlink;

import io.parterre.tls.TlsEnds;
import java.util.EnumSet;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.grpc.server.GrpcServicesImpl;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.impl.AcknowledgedFollower;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;

/**
 * Ratis over gRPC behind {@link GroupStartGate}, {@link MemberCalls}, {@link CandidateCalls} and
 * {@link VoteGuard}, and optionally with {@link HeardAppends} and {@link TrackingLogAppender}.
 * Ratis creates an instance by the class name, and passes it the {@link Setup} in {@link
 * Setup#parameters()}.
 */
public final class GuardedRpcType implements RpcType {
    private static final String SETUP = "parterre.rpc";

    /**
     * The proxies between the network and one Raft server.
     *
     * @param gate refuses calls in groups that are being added
     * @param calls holds answers back until their content is on disk
     * @param votes delays votes until leases are over
     * @param watch outermost proxy: {@link HeardAppends#watched}, or the identity
     * @param appenders kind of appender that leaders use
     * @param tls TLS of connections between members; empty: plain text
     */
    public record Setup(
            GroupStartGate gate,
            MemberCalls calls,
            VoteGuard votes,
            UnaryOperator<RaftServer> watch,
            Appenders appenders,
            Optional<TlsEnds> tls) {
        /** Returns the parameters for a server that uses {@link GuardedRpcType}. */
        public Parameters parameters() {
            Parameters parameters = new Parameters();
            parameters.put(SETUP, this, Setup.class);
            return parameters;
        }
    }

    /** How a leader sends entries to its followers. */
    public enum Appenders {
        /** {@link ReturningLogAppender}: Ratis sends a snapshot to a follower that fell behind. */
        PLAIN,
        /** {@link TrackingLogAppender}; state machines must be {@link FollowerListener}s. */
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
            RaftServer watched = setup.watch().apply(guarded);
            GrpcServicesImpl.Builder services =
                    GrpcServicesImpl.newBuilder().setServer(watched).setCustomizer(this::customize);
            setup.tls().ifPresent(ends -> secure(services, ends));
            return CandidateCalls.guarded(services.build(), setup.calls().gate());
        }

        private NettyServerBuilder customize(
                NettyServerBuilder server, EnumSet<GrpcServices.Type> types) {
            new ConnectionWatch(setup.votes().connections()).customize(server, types);
            setup.tls().ifPresent(ends -> server.intercept(new MemberCertificates(ends)));
            return server;
        }

        private static void secure(GrpcServicesImpl.Builder services, TlsEnds ends) {
            services.setServerSslContextForServer(RaftSslContext.accepting(ends.accepting()))
                    .setServerSslContextForClient(RaftSslContext.connecting(ends.connecting()));
        }

        @Override
        public LogAppender newLogAppender(
                RaftServer.Division server, LeaderState state, FollowerInfo follower) {
            setup.votes().leads(server.getGroup().getGroupId());
            setup.calls().leads(server);
            return switch (setup.appenders()) {
                case PLAIN ->
                        new ReturningLogAppender(
                                server, state, AcknowledgedFollower.of(follower, () -> {}));
                case TRACKING ->
                        new TrackingLogAppender(
                                server, state, follower, setup.votes().leases().own());
            };
        }
    }
}

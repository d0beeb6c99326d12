package io.parterre.raftlink;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.Attributes;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.ServerTransportFilter;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;

/**
 * Reports to {@link AppendConnections} which connections of a Raft server over gRPC carry appends
 * of which member, and when they are closed. The end of a stream is no sign, because a leader opens
 * another stream after any error.
 */
record ConnectionWatch(AppendConnections connections) implements GrpcServices.Customizer {
    private static final Attributes.Key<Connection> CONNECTION =
            Attributes.Key.create("parterre.connection");

    @Override
    public NettyServerBuilder customize(
            NettyServerBuilder builder, EnumSet<GrpcServices.Type> types) {
        return builder.addTransportFilter(new Filter()).intercept(new Interceptor());
    }

    private final class Filter extends ServerTransportFilter {
        @Override
        public Attributes transportReady(Attributes attributes) {
            return attributes.toBuilder().set(CONNECTION, new Connection()).build();
        }

        @Override
        public void transportTerminated(Attributes attributes) {
            // gRPC passes no attributes if the connection is closed before it is ready.
            Connection connection = attributes == null ? null : attributes.get(CONNECTION);
            if (connection != null) {
                connection.closed();
            }
        }
    }

    private final class Interceptor implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            Connection connection = call.getAttributes().get(CONNECTION);
            ServerCall.Listener<Q> listener = next.startCall(call, headers);
            return connection == null ? listener : new Listener<>(connection, listener);
        }
    }

    /** Reads the first message of a stream; later messages are of the same member. */
    private static final class Listener<Q> extends SimpleForwardingServerCallListener<Q> {
        private final Connection connection;
        private boolean known;

        Listener(Connection connection, ServerCall.Listener<Q> listener) {
            super(listener);
            this.connection = connection;
        }

        @Override
        public void onMessage(Q message) {
            if (!known) {
                known = true;
                if (message instanceof AppendEntriesRequestProto request) {
                    connection.appends(request.getServerRequest().getRequestorId());
                }
            }
            super.onMessage(message);
        }
    }

    /** One connection, from its start to its end. */
    private final class Connection {
        // Both guarded by this.
        private final Set<RaftPeerId> members = new HashSet<>();
        private boolean closed;

        synchronized void appends(ByteString memberId) {
            RaftPeerId member = RaftPeerId.valueOf(memberId);
            if (!closed && members.add(member)) {
                connections.opened(member);
            }
        }

        synchronized void closed() {
            closed = true;
            members.forEach(connections::closed);
        }
    }
}

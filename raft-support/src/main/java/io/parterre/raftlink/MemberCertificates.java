package io.parterre.raftlink;

import io.parterre.tls.PeerIdentity;
import io.parterre.tls.TlsEnds;
import java.util.Optional;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Grpc;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.Status;

/**
 * Refuses calls in the name of a member other than the owner of the connection's certificate. Ratis
 * does not check the caller. Safe for any thread.
 */
record MemberCertificates(TlsEnds ends) implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        PeerIdentity peer =
                PeerIdentity.of(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION));
        return new Listener<>(call, peer, next.startCall(call, headers));
    }

    /**
     * Returns the id of the member in whose name a message is sent; empty: the message is none of a
     * member.
     */
    static Optional<ByteString> caller(Object message) {
        RaftRpcRequestProto call = null;
        if (message instanceof AppendEntriesRequestProto append) {
            call = append.getServerRequest();
        } else if (message instanceof RequestVoteRequestProto vote) {
            call = vote.getServerRequest();
        } else if (message instanceof InstallSnapshotRequestProto install) {
            call = install.getServerRequest();
        } else if (message instanceof StartLeaderElectionRequestProto election) {
            call = election.getServerRequest();
        } else if (message instanceof ReadIndexRequestProto read) {
            call = read.getServerRequest();
        }
        return Optional.ofNullable(call).map(RaftRpcRequestProto::getRequestorId);
    }

    /**
     * Returns the member's id in the form that certificates use: the id of a manager without its
     * incarnation.
     */
    static String member(ByteString peerId) {
        String id = peerId.toStringUtf8();
        int incarnation = id.indexOf('~');
        return incarnation < 0 ? id : id.substring(0, incarnation);
    }

    private Optional<String> refusal(PeerIdentity peer, ByteString peerId) {
        try {
            return ends.refusal(peer, member(peerId));
        } catch (IllegalArgumentException noId) {
            return Optional.of(noId.getMessage());
        }
    }

    private final class Listener<Q> extends SimpleForwardingServerCallListener<Q> {
        private final ServerCall<Q, ?> call;
        private final PeerIdentity peer;
        private ByteString verified = ByteString.EMPTY;
        private boolean refused;

        Listener(ServerCall<Q, ?> call, PeerIdentity peer, ServerCall.Listener<Q> listener) {
            super(listener);
            this.call = call;
            this.peer = peer;
        }

        @Override
        public void onMessage(Q message) {
            Optional<ByteString> caller = caller(message);
            if (!refused && caller.isPresent() && !caller.get().equals(verified)) {
                verify(caller.get());
            }
            if (!refused) {
                super.onMessage(message);
            }
        }

        private void verify(ByteString peerId) {
            Optional<String> refusal = refusal(peer, peerId);
            if (refusal.isEmpty()) {
                verified = peerId;
                return;
            }
            refused = true;
            ends.onRefusal()
                    .accept(
                            refusal.get(),
                            call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
            call.close(Status.PERMISSION_DENIED.withDescription(refusal.get()), new Metadata());
        }

        @Override
        public void onHalfClose() {
            if (!refused) {
                super.onHalfClose();
            }
        }
    }
}

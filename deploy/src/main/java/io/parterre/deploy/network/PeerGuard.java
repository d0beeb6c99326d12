package io.parterre.deploy.network;

import io.grpc.BindableService;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.parterre.deploy.tls.PeerRefusals;
import io.parterre.tls.PeerIdentity;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * Permits each peer the calls of its certificate's role, in its own name. A refused call never
 * reaches the service. Thread-safe.
 */
final class PeerGuard implements ServerInterceptor {
    private static final PeerIdentity NOBODY = new PeerIdentity(Set.of());

    private final PeerRefusals refusals;

    private PeerGuard(PeerRefusals refusals) {
        this.refusals = refusals;
    }

    /** Returns the services behind the guard. */
    static List<BindableService> before(List<BindableService> services, PeerRefusals refusals) {
        PeerGuard guard = new PeerGuard(refusals);
        return services.stream().map(service -> guarded(service, guard)).toList();
    }

    private static BindableService guarded(BindableService service, PeerGuard guard) {
        ServerServiceDefinition definition = ServerInterceptors.intercept(service, guard);
        return () -> definition;
    }

    /**
     * Returns the identity of a call's peer by its certificate; without one, an identity without
     * names.
     */
    static PeerIdentity peerOf(ServerCall<?, ?> call) {
        SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
        if (session == null) {
            return NOBODY;
        }
        try {
            return session.getPeerCertificates()[0] instanceof X509Certificate certificate
                    ? PeerIdentity.of(certificate)
                    : NOBODY;
        } catch (SSLPeerUnverifiedException unverified) {
            return NOBODY;
        }
    }

    @Override
    public <A, B> ServerCall.Listener<A> interceptCall(
            ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
        PeerIdentity peer = peerOf(call);
        String method = call.getMethodDescriptor().getFullMethodName();
        Optional<String> refusal = PeerPermissions.refusal(method, peer);
        if (refusal.isPresent()) {
            refusals.role(refusal.get(), address(call));
            deny(call, refusal.get());
            return new ServerCall.Listener<>() {};
        }
        ServerCall.Listener<A> listener = next.startCall(call, headers);
        // Streams of requests contain no names, and have many messages.
        return call.getMethodDescriptor().getType() == MethodType.BIDI_STREAMING
                ? listener
                : new InOwnName<>(listener, call, peer);
    }

    private static Object address(ServerCall<?, ?> call) {
        return call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
    }

    private static void deny(ServerCall<?, ?> call, String why) {
        call.close(Status.PERMISSION_DENIED.withDescription(why), new Metadata());
    }

    /** Checks the request of a call that has a single one. */
    private final class InOwnName<A> extends SimpleForwardingServerCallListener<A> {
        private final ServerCall<A, ?> call;
        private final PeerIdentity peer;
        private boolean refused;

        InOwnName(ServerCall.Listener<A> listener, ServerCall<A, ?> call, PeerIdentity peer) {
            super(listener);
            this.call = call;
            this.peer = peer;
        }

        @Override
        public void onMessage(A request) {
            Optional<String> claim = PeerClaims.refusal(request, peer);
            claim.ifPresent(why -> refusals.id(why, address(call)));
            Optional<String> loss =
                    DataLossGuard.needsToken(request)
                            ? PeerPermissions.refusalOfDataLoss(
                                    call.getMethodDescriptor().getFullMethodName(), peer)
                            : Optional.empty();
            loss.ifPresent(why -> refusals.role(why, address(call)));
            Optional<String> refusal = claim.or(() -> loss);
            if (refusal.isPresent()) {
                refused = true;
                deny(call, refusal.get());
                return;
            }
            super.onMessage(request);
        }

        @Override
        public void onHalfClose() {
            if (!refused) {
                super.onHalfClose();
            }
        }
    }
}

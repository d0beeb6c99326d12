package io.parterre.deploy.network;

import io.grpc.BindableService;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.parterre.deploy.tls.PeerRefusals;
import io.parterre.tls.PeerIdentity;
import java.util.List;
import java.util.Optional;

/**
 * Permits each peer the calls of its certificate's role, in its own name. A refused call never
 * reaches the service. Thread-safe.
 */
final class PeerGuard implements ServerInterceptor {
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
        return PeerIdentity.of(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION));
    }

    @Override
    public <A, B> ServerCall.Listener<A> interceptCall(
            ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
        PeerIdentity peer = peerOf(call);
        String method = call.getMethodDescriptor().getFullMethodName();
        Optional<String> refusal = PeerPermissions.refusal(method, peer);
        if (refusal.isPresent()) {
            refusals.role(refusal.get(), address(call));
            CheckedListener.refuse(call, refusal.get());
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

    /** Checks the request of a call that has a single one. */
    private final class InOwnName<A> extends CheckedListener<A> {
        private final ServerCall<A, ?> call;
        private final PeerIdentity peer;

        InOwnName(ServerCall.Listener<A> listener, ServerCall<A, ?> call, PeerIdentity peer) {
            super(listener, call);
            this.call = call;
            this.peer = peer;
        }

        @Override
        Optional<String> refusal(A request) {
            Optional<String> claim = PeerClaims.refusal(request, peer);
            claim.ifPresent(why -> refusals.id(why, address(call)));
            Optional<String> loss =
                    DataLossGuard.needsToken(request)
                            ? PeerPermissions.refusalOfDataLoss(
                                    call.getMethodDescriptor().getFullMethodName(), peer)
                            : Optional.empty();
            loss.ifPresent(why -> refusals.role(why, address(call)));
            return claim.or(() -> loss);
        }
    }
}

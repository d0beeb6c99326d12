package io.parterre.deploy.network;

import io.grpc.BindableService;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.parterre.tls.PeerIdentity;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down what operators' commands ask of this process and how each ends, refused ones
 * included. One line a call, of the logger {@code parterre.audit}. Safe for any thread.
 */
final class OperatorAudit implements ServerInterceptor {
    static final Logger AUDIT = LoggerFactory.getLogger("parterre.audit");

    private static final OperatorAudit INSTANCE = new OperatorAudit();

    private OperatorAudit() {}

    /** The same services, with operators' calls written down. */
    static List<BindableService> of(List<BindableService> services) {
        return services.stream().map(OperatorAudit::audited).toList();
    }

    private static BindableService audited(BindableService service) {
        ServerServiceDefinition definition = ServerInterceptors.intercept(service, INSTANCE);
        return () -> definition;
    }

    @Override
    public <A, B> ServerCall.Listener<A> interceptCall(
            ServerCall<A, B> call, Metadata headers, ServerCallHandler<A, B> next) {
        if (!PeerPermissions.isOperators(call.getMethodDescriptor().getFullMethodName())) {
            return next.startCall(call, headers);
        }
        AtomicReference<String> arguments = new AtomicReference<>("{}");
        ServerCall<A, B> closing =
                new SimpleForwardingServerCall<>(call) {
                    @Override
                    public void close(Status status, Metadata trailers) {
                        write(call, arguments.get(), status);
                        super.close(status, trailers);
                    }
                };
        return new SimpleForwardingServerCallListener<>(next.startCall(closing, headers)) {
            @Override
            public void onMessage(A request) {
                arguments.set(AuditArguments.of(request));
                super.onMessage(request);
            }
        };
    }

    private static void write(ServerCall<?, ?> call, String arguments, Status status) {
        PeerIdentity peer = PeerGuard.peerOf(call);
        AUDIT.info(
                "operator call identity={} from={} method={} arguments={} outcome={}",
                peer.names().isEmpty() ? "none" : peer,
                call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR),
                call.getMethodDescriptor().getFullMethodName(),
                arguments,
                status.getCode());
    }
}

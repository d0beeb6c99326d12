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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the requests of operators' commands to this process and how each ends, including refused
 * ones. One line per call, of the logger {@code parterre.audit}. Thread-safe.
 */
final class OperatorAudit implements ServerInterceptor {
    static final Logger AUDIT = LoggerFactory.getLogger("parterre.audit");

    private static final RepeatedCalls REPEATED = new RepeatedCalls(System::nanoTime);

    private static final OperatorAudit INSTANCE = new OperatorAudit();

    private OperatorAudit() {}

    /** Returns the services with operators' calls logged. */
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
        Line line = new Line(call);
        ServerCall<A, B> closing =
                new SimpleForwardingServerCall<>(call) {
                    @Override
                    public void close(Status status, Metadata trailers) {
                        line.write(status.getCode());
                        super.close(status, trailers);
                    }
                };
        ServerCall.Listener<A> listener = line.ofThrown(() -> next.startCall(closing, headers));
        return new SimpleForwardingServerCallListener<>(listener) {
            @Override
            public void onMessage(A request) {
                line.arguments = AuditArguments.of(request);
                run(() -> super.onMessage(request));
            }

            @Override
            public void onHalfClose() {
                run(super::onHalfClose);
            }

            @Override
            public void onReady() {
                run(super::onReady);
            }

            @Override
            public void onCancel() {
                // No close follows, because the peer or its deadline ended the call.
                line.write(Status.Code.CANCELLED);
                super.onCancel();
            }

            private void run(Runnable callback) {
                line.ofThrown(
                        () -> {
                            callback.run();
                            return null;
                        });
            }
        };
    }

    /** The line of one call, written once. */
    private static final class Line {
        private final ServerCall<?, ?> call;
        private final AtomicBoolean written = new AtomicBoolean();
        private volatile String arguments = "{}";

        Line(ServerCall<?, ?> call) {
            this.call = call;
        }

        /**
         * Writes the line if {@code work} throws, because gRPC then ends the call without its
         * interceptors.
         */
        <T> T ofThrown(Supplier<T> work) {
            try {
                return work.get();
            } catch (RuntimeException | Error thrown) {
                write(Status.fromThrowable(thrown).getCode());
                throw thrown;
            }
        }

        void write(Status.Code outcome) {
            if (written.compareAndSet(false, true)) {
                PeerIdentity peer = PeerGuard.peerOf(call);
                String method = call.getMethodDescriptor().getFullMethodName();
                if (outcome == Status.Code.OK && !REPEATED.isDue(method, peer.toString())) {
                    return;
                }
                AUDIT.info(
                        "operator call identity={} from={} method={} arguments={} outcome={}",
                        peer.names().isEmpty() ? "none" : peer,
                        call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR),
                        method,
                        arguments,
                        outcome);
            }
        }
    }
}

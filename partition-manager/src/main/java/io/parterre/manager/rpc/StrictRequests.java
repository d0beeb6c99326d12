package io.parterre.manager.rpc;

import com.google.protobuf.Message;
import io.grpc.BindableService;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.parterre.release.NewerReleaseException;
import io.parterre.release.UnknownFields;

/**
 * Refuses requests with unknown fields: a request of a newer release may ask for less than would be
 * done without the field, such as a dry run. Also refuses requests whose fields break their types'
 * rules, which the service detects. Thread-safe.
 */
public final class StrictRequests implements ServerInterceptor {
    private StrictRequests() {}

    /** Returns the service with such requests refused. */
    public static BindableService of(BindableService service) {
        return () -> ServerInterceptors.intercept(service, new StrictRequests());
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
            private boolean refused;

            private void refuse(RuntimeException e) {
                call.close(Status.INVALID_ARGUMENT.withDescription(e.getMessage()), new Metadata());
            }

            @Override
            public void onMessage(Q request) {
                try {
                    UnknownFields.refuse("request", (Message) request);
                } catch (NewerReleaseException e) {
                    refused = true;
                    refuse(e);
                    return;
                }
                super.onMessage(request);
            }

            @Override
            public void onHalfClose() {
                if (refused) {
                    return;
                }
                try {
                    super.onHalfClose();
                } catch (IllegalArgumentException e) {
                    refuse(e);
                }
            }
        };
    }
}

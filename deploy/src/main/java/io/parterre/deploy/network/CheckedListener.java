package io.parterre.deploy.network;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.Optional;

/** Passes a call's requests to the service, unless one is refused. Then the call is over. */
abstract class CheckedListener<A> extends SimpleForwardingServerCallListener<A> {
    private final ServerCall<A, ?> call;
    private boolean refused;

    CheckedListener(ServerCall.Listener<A> listener, ServerCall<A, ?> call) {
        super(listener);
        this.call = call;
    }

    /** Ends a call that its caller may not make. */
    static void refuse(ServerCall<?, ?> call, String why) {
        call.close(Status.PERMISSION_DENIED.withDescription(why), new Metadata());
    }

    /** Returns why the request is refused; empty if it may reach the service. */
    abstract Optional<String> refusal(A request);

    @Override
    public void onMessage(A request) {
        Optional<String> refusal = refusal(request);
        if (refusal.isPresent()) {
            refused = true;
            refuse(call, refusal.get());
        } else {
            super.onMessage(request);
        }
    }

    @Override
    public void onHalfClose() {
        // The service has no request to answer.
        if (!refused) {
            super.onHalfClose();
        }
    }
}

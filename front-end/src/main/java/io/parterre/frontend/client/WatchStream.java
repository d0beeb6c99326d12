package io.parterre.frontend.client;

import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.parterre.endpoint.ManagerEndpoint;
import io.parterre.proto.manager.ManagerServiceGrpc;
import io.parterre.proto.manager.MapUpdate;
import io.parterre.proto.manager.WatchRequest;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One call to one manager, which brings the manager's map and its changes. Thread-safe. */
final class WatchStream implements ClientResponseObserver<WatchRequest, MapUpdate> {
    private static final Logger LOG = LoggerFactory.getLogger(WatchStream.class);

    /** Called with what the stream brings, on gRPC's thread. */
    interface Listener {
        /**
         * Called when an update is complete.
         *
         * @throws IllegalArgumentException if the update is malformed; then the stream ends
         */
        void updated(WatchStream from, MapUpdate update);

        void ended(WatchStream ended, Throwable cause);
    }

    private final ManagerEndpoint manager;
    private final Listener listener;
    // Guarded by this.
    private Optional<ClientCallStreamObserver<WatchRequest>> call = Optional.empty();
    private boolean cancelled;

    private volatile boolean brought;

    // Confined to gRPC's thread.
    private Optional<MapUpdate.Builder> begun = Optional.empty();

    WatchStream(ManagerEndpoint manager, Listener listener) {
        this.manager = manager;
        this.listener = listener;
    }

    ManagerEndpoint manager() {
        return manager;
    }

    /** Returns whether an update has arrived, so that the held map is this manager's. */
    boolean hasBrought() {
        return brought;
    }

    void start(WatchRequest request, int answerBytesMax) {
        ManagerServiceGrpc.newStub(manager.channel())
                .withMaxInboundMessageSize(answerBytesMax)
                .watch(request, this);
        boolean late;
        synchronized (this) {
            late = cancelled;
        }
        if (late) {
            cancel();
        }
    }

    @Override
    public synchronized void beforeStart(ClientCallStreamObserver<WatchRequest> started) {
        call = Optional.of(started);
    }

    /** Collects the parts of a large update; it takes effect only with its last part. */
    @Override
    public void onNext(MapUpdate part) {
        MapUpdate.Builder whole =
                begun.map(earlier -> earlier.mergeFrom(part)).orElseGet(part::toBuilder);
        if (part.getMore()) {
            begun = Optional.of(whole);
            return;
        }
        begun = Optional.empty();
        MapUpdate update = whole.build();
        brought = true;
        try {
            listener.updated(this, update);
        } catch (IllegalArgumentException malformed) {
            LOG.error("map update refused manager={}", manager.address(), malformed);
            cancel();
            listener.ended(this, malformed);
        }
    }

    @Override
    public void onError(Throwable cause) {
        listener.ended(this, cause);
    }

    @Override
    public void onCompleted() {
        listener.ended(this, new IllegalStateException("the manager ended the watch"));
    }

    void cancel() {
        Optional<ClientCallStreamObserver<WatchRequest>> running;
        synchronized (this) {
            cancelled = true;
            running = call;
        }
        running.ifPresent(started -> started.cancel("front end ends the watch", null));
    }
}

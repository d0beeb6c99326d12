package io.parterre.endpoint;

import io.grpc.Metadata;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The partition managers, and which of them to ask. Safe for any thread. */
public final class ManagerEndpoints {
    /** Where a manager that does not lead says who does. */
    public static final Metadata.Key<String> LEADER =
            Metadata.Key.of("parterre-leader", Metadata.ASCII_STRING_MARSHALLER);

    private final List<ManagerEndpoint> endpoints;
    private final AtomicInteger current = new AtomicInteger();

    public ManagerEndpoints(List<ManagerEndpoint> endpoints) {
        if (endpoints.isEmpty()) {
            throw new IllegalArgumentException("managers: none (expected: at least one)");
        }
        this.endpoints = List.copyOf(endpoints);
    }

    /** How many there are. */
    public int size() {
        return endpoints.size();
    }

    /** The one to ask. */
    public ManagerEndpoint current() {
        return endpoints.get(current.get());
    }

    /** The one asked did not answer: asks the one it names next, else the next in line. */
    public void failed(ManagerEndpoint asked, Throwable cause) {
        int index = endpoints.indexOf(asked);
        int next = (index + 1) % endpoints.size();
        Metadata trailers = Status.trailersFromThrowable(cause);
        String leader = trailers == null ? null : trailers.get(LEADER);
        for (int i = 0; leader != null && i < endpoints.size(); i++) {
            if (endpoints.get(i).address().equals(leader)) {
                next = i;
            }
        }
        // Unless another call has moved on already.
        current.compareAndSet(index, next);
    }
}

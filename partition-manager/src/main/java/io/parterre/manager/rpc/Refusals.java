package io.parterre.manager.rpc;

import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Optional;

/** Statuses of calls that have no value to answer. */
final class Refusals {
    /** Service address of the leading manager. Only with UNAVAILABLE, and only if known. */
    static final Metadata.Key<String> LEADER =
            Metadata.Key.of("parterre-leader", Metadata.ASCII_STRING_MARSHALLER);

    private Refusals() {}

    static StatusRuntimeException notLeading(Optional<String> leaderAddress) {
        Metadata trailers = new Metadata();
        leaderAddress.ifPresent(address -> trailers.put(LEADER, address));
        return Status.UNAVAILABLE
                .withDescription("this partition manager does not lead")
                .asRuntimeException(trailers);
    }
}

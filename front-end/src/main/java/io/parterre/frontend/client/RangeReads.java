package io.parterre.frontend.client;

import io.parterre.frontend.call.CallMemory;
import io.parterre.key.Key;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Starts requests that read. Thread-safe. */
interface RangeReads {
    /** Reads what {@code body} asks for from the range that holds {@code key}. */
    CompletableFuture<RangeAnswer> read(Key key, Deadline deadline, RangeBody body);

    /**
     * Reads for up to {@code time}.
     *
     * @param memory charged with the rows as soon as they arrive
     */
    CompletableFuture<RangeAnswer> scan(
            Key key, Deadline deadline, Duration time, CallMemory memory, RangeBody body);

    ClusterClientConfig config();
}

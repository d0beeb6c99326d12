package io.parterre.frontend.client;

import io.parterre.frontend.call.CallMemory;
import io.parterre.key.Key;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Makes requests that read. Safe for any thread. */
interface RangeReads {
    /** A request that reads. */
    CompletableFuture<RangeAnswer> read(Key key, Deadline deadline, RangeBody body);

    /**
     * A request that reads for up to {@code time}.
     *
     * @param memory charged with the rows as soon as they are there
     */
    CompletableFuture<RangeAnswer> scan(
            Key key, Deadline deadline, Duration time, CallMemory memory, RangeBody body);

    ClusterClientConfig config();
}

package io.parterre.frontend.client;

import io.parterre.frontend.call.CallMemory;
import io.parterre.frontend.store.StalenessNote;
import io.parterre.key.Key;
import io.parterre.proto.range.RangeResponse;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * Reads at any member of a range, for one request of a client. Thread-safe.
 *
 * @param note receives the staleness of each answer
 */
record FollowerReads(RangeCalls calls, StalenessNote note) implements RangeReads {
    @Override
    public CompletableFuture<RangeAnswer> read(Key key, Deadline deadline, RangeBody body) {
        return scan(key, deadline, Duration.ZERO, CallMemory.UNCOUNTED, body);
    }

    @Override
    public CompletableFuture<RangeAnswer> scan(
            Key key, Deadline deadline, Duration time, CallMemory memory, RangeBody body) {
        return calls.readAnywhere(key, deadline, time, memory, body).thenApply(this::noted);
    }

    private RangeAnswer noted(RangeAnswer answer) {
        note(note, answer);
        return answer;
    }

    /** Adds the staleness of an answer to the note. */
    static void note(StalenessNote note, RangeAnswer answer) {
        RangeResponse response = answer.response();
        note.read(
                response.hasStalenessMillis()
                        ? OptionalLong.of(response.getStalenessMillis())
                        : OptionalLong.empty());
    }

    @Override
    public ClusterClientConfig config() {
        return calls.config();
    }
}

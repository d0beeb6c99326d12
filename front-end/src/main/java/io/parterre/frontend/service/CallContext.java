package io.parterre.frontend.service;

import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpCall;
import java.time.Instant;
import java.util.Optional;

/**
 * What is known of a call from its first moment, enough to answer it with an error.
 *
 * @param requestId GUID that the answer and its error texts carry
 * @param receivedAt when it was received
 */
record CallContext(HttpCall call, String requestId, Instant receivedAt) {
    HeaderList headers() {
        return call.headers();
    }

    Optional<String> accept() {
        return headers().first("Accept");
    }
}

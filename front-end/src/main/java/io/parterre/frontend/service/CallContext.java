package io.parterre.frontend.service;

import io.parterre.error.StorageException;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.table.ApiVersion;
import java.time.Instant;
import java.util.Optional;

/**
 * What is known of a call from its first moment, enough to answer it with an error.
 *
 * @param headers those of the request; empty if they could not be read
 * @param requestId GUID that the answer and its error texts carry
 * @param receivedAt when it was received
 */
record CallContext(HeaderList headers, String requestId, Instant receivedAt) {
    Optional<String> accept() {
        return headers().list("Accept");
    }

    /** Errors that come before the version is read, or are about it, still name one. */
    ApiVersion versionOrNewest() {
        try {
            return ApiVersion.parse(headers().first("x-ms-version"));
        } catch (StorageException malformed) {
            return ApiVersion.parse(Optional.empty());
        }
    }
}

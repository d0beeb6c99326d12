package io.parterre.frontend.service;

import io.parterre.error.StorageException;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.table.ApiVersion;
import java.time.Instant;
import java.util.Optional;

/**
 * What is known of a call from its first moment, enough to answer the call with an error.
 *
 * @param headers headers of the request; empty if they could not be read
 * @param requestId GUID in the answer and its error texts
 * @param receivedAt when the call was received
 */
record CallContext(HeaderList headers, String requestId, Instant receivedAt) {
    Optional<String> accept() {
        return headers().list("Accept");
    }

    /**
     * Returns the request's version, or the newest if the request's is malformed: errors found
     * before the version is read, or about the version, still name one.
     */
    ApiVersion versionOrNewest() {
        try {
            return ApiVersion.parse(headers().first("x-ms-version"));
        } catch (StorageException malformed) {
            return ApiVersion.parse(Optional.empty());
        }
    }
}

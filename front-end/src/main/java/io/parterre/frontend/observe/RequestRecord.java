package io.parterre.frontend.observe;

import io.parterre.frontend.call.CallNotes.Phase;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.RequestHead;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A request that has ended.
 *
 * @param startedAt when the request's head was complete
 * @param operation as Storage Analytics names operations
 * @param owner account whose tables were asked for, as the address names it; empty if unknown
 * @param caller account whose credential was proved
 * @param key number of the account's key that signed, with the prefix "key"; empty if no key did
 * @param signature fingerprint of an access signature; empty if there is none
 * @param object path of the resource as sent; empty if unknown
 * @param table table of the written entities; empty if none were written
 * @param partitionKey PartitionKey of the written entities; empty if none were written
 * @param status HTTP status; 0 if there was no answer
 * @param answerHeaders empty if there was no answer
 * @param serverNanos time from the whole request to its answer
 * @param totalNanos time from the head to the last byte of the answer
 * @param taken whether the operating system took all of the answer
 * @param phases nanoseconds spent in each phase of the request
 * @param traceId id of the recorded trace
 */
record RequestRecord(
        Instant startedAt,
        RequestHead head,
        String operation,
        String owner,
        Optional<String> caller,
        String key,
        String signature,
        String object,
        String table,
        String partitionKey,
        int status,
        HeaderList answerHeaders,
        long serverNanos,
        long totalNanos,
        long requestBodyBytes,
        long answerHeadBytes,
        long answerBodyBytes,
        boolean taken,
        Map<Phase, Long> phases,
        Optional<String> traceId) {
    /** Returns the id of the request that the client received; empty if there was no answer. */
    String requestId() {
        return answerHeaders.first("x-ms-request-id").orElse("");
    }

    long receivedBytes() {
        return head.sizeBytes() + requestBodyBytes;
    }

    long sentBytes() {
        return answerHeadBytes + answerBodyBytes;
    }
}

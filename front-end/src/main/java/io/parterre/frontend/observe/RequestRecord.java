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
 * @param startedAt when its head was there
 * @param operation as Storage Analytics names operations
 * @param owner account whose tables were asked for, as the address names it; empty if unknown
 * @param caller account whose credential was proved
 * @param key which key of the account signed, as "key" and its number; empty if none did
 * @param signature fingerprint of an access signature; empty if there is none
 * @param object path of the resource as sent; empty if unknown
 * @param table that entities were written to; empty if none were
 * @param partitionKey of the entities that were written; empty if none were
 * @param status of HTTP; 0: there was no answer
 * @param answerHeaders empty if there was no answer
 * @param serverNanos from the whole request to its answer
 * @param totalNanos from the head to the last byte of the answer
 * @param taken whether the system took all of the answer
 * @param phases nanoseconds of each phase that it came by
 * @param traceId of a trace that is recorded
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
    /** What the client reads as the id of its request; empty if there was no answer. */
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

package io.parterre.frontend.table;

import io.parterre.frontend.call.HeaderList;
import java.util.Optional;

/**
 * The answer to a successful operation, alone or as part of a batch; each adds its own framing.
 *
 * @param contentType type of the body; empty if there is none
 * @param preferenceApplied preference that the answer states as applied
 * @param headers {@code Location}, {@code DataServiceId}, continuation and {@code ETag}, as they
 *     apply, in this order
 */
@SuppressWarnings("ArrayRecordComponent") // A message, never compared.
public record OperationAnswer(
        int status,
        Optional<String> contentType,
        Optional<Preference> preferenceApplied,
        HeaderList headers,
        byte[] body) {
    private static final byte[] NOTHING = new byte[0];

    /** Returns an answer without a body. */
    public static OperationAnswer empty(
            int status, Optional<Preference> preferenceApplied, HeaderList headers) {
        return new OperationAnswer(status, Optional.empty(), preferenceApplied, headers, NOTHING);
    }

    /** Returns an answer with a JSON body. */
    public static OperationAnswer json(
            int status,
            MetadataLevel level,
            Optional<Preference> preferenceApplied,
            HeaderList headers,
            byte[] body) {
        return new OperationAnswer(
                status, Optional.of(level.contentType()), preferenceApplied, headers, body);
    }
}

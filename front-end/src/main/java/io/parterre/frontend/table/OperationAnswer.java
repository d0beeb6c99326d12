package io.parterre.frontend.table;

import io.parterre.frontend.call.HeaderList;
import java.util.Optional;

/**
 * What a successful operation says, alone or as part of a batch; each adds its own framing.
 *
 * @param contentType of the body; empty if there is none
 * @param preferenceApplied whose echo the client gets
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

    /** An answer without a body. */
    public static OperationAnswer empty(
            int status, Optional<Preference> preferenceApplied, HeaderList headers) {
        return new OperationAnswer(status, Optional.empty(), preferenceApplied, headers, NOTHING);
    }

    /** An answer with a body of JSON. */
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

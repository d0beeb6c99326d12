package io.parterre.frontend.service;

import io.parterre.error.StorageException;
import io.parterre.frontend.auth.Account;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.table.ApiVersion;
import io.parterre.frontend.table.ContentNegotiation;
import io.parterre.frontend.table.ETags;
import io.parterre.frontend.table.EntityChangeReader;
import io.parterre.frontend.table.IfMatch;
import io.parterre.frontend.table.MetadataLevel;
import io.parterre.frontend.table.Preference;
import io.parterre.frontend.table.QueryOptions;
import io.parterre.frontend.table.Resource;
import io.parterre.frontend.table.ResourceLinks;
import io.parterre.frontend.table.Verb;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An authenticated operation on a resource: a call of its own, or part of a batch.
 *
 * @param body array that holds the body, in place
 * @param deadline when it must be answered
 */
@SuppressWarnings("ArrayRecordComponent") // A message, never compared.
record Operation(
        Account account,
        ResourceLinks links,
        ApiVersion version,
        Verb verb,
        Resource resource,
        QueryOptions options,
        HeaderList headers,
        byte[] body,
        int bodyOffset,
        int bodyLength,
        Instant deadline) {
    /**
     * The level of the answer's body. Who gets no body is not refused for the format of it.
     *
     * @throws StorageException a 415
     */
    MetadataLevel level() {
        return switch (verb) {
            case GET, HEAD, POST, OPTIONS -> negotiated();
            case PUT, MERGE, DELETE -> levelOr(MetadataLevel.MINIMAL);
        };
    }

    private MetadataLevel negotiated() {
        return ContentNegotiation.level(
                options.nonEmpty("$format"), headers.first("Accept"), version);
    }

    /** The level asked for, or this one if it cannot be had. */
    MetadataLevel levelOr(MetadataLevel otherwise) {
        try {
            return negotiated();
        } catch (StorageException unsupported) {
            return otherwise;
        }
    }

    Optional<Preference> preference() {
        return EntityChangeReader.preference(verb, headers);
    }

    /**
     * The request's {@code If-Match}.
     *
     * @throws SyntaxRefusal if it is malformed or there are several
     */
    Optional<IfMatch> ifMatch() {
        List<String> values = headers.all("If-Match");
        return values.isEmpty()
                ? Optional.empty()
                : Optional.of(SyntaxRefusal.of(() -> ETags.parse(String.join(", ", values))));
    }
}

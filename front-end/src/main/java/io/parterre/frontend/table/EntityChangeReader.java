package io.parterre.frontend.table;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.store.EntityWrite;
import io.parterre.frontend.store.EntityWrite.Kind;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads writes of entities, alone or inside a batch. Source: docs/protocol.md 3.8 and 3.9.
 * Stateless; thread-safe.
 */
public record EntityChangeReader(EntityReader entities) {
    private static final byte[] NOTHING = new byte[0];

    /**
     * Reads one write.
     *
     * @param ifMatch the request's {@code If-Match}, already parsed, because its errors are
     *     answered in another form than those found here
     * @throws StorageException if the operation is no write of an entity, or a check fails
     */
    public EntityChange read(
            Verb verb,
            Resource resource,
            HeaderList headers,
            Optional<IfMatch> ifMatch,
            MetadataLevel level,
            byte[] body,
            int offset,
            int length) {
        Optional<Preference> preference = preference(verb, headers);
        if (resource instanceof Resource.Entities set && verb == Verb.POST) {
            ContentNegotiation.checkBodyType(headers.first("Content-Type"));
            EntityBody entity = entities.readForInsert(body, offset, length);
            EntityWrite write =
                    new EntityWrite(
                            Kind.INSERT,
                            entity.partitionKey().orElseThrow(),
                            entity.rowKey().orElseThrow(),
                            entity.block(),
                            OptionalLong.empty());
            return new EntityChange(set.table(), write, preference, level, Optional.empty());
        }
        if (!(resource instanceof Resource.OneEntity one)) {
            throw new StorageException(ErrorCode.METHOD_NOT_ALLOWED);
        }
        Kind kind = kind(verb, ifMatch.isPresent());
        checkConditions(verb, kind, headers);
        entities.checkKeysInAddress(one.partitionKey(), one.rowKey());
        byte[] block = kind == Kind.DELETE ? NOTHING : block(one, headers, body, offset, length);
        EntityWrite write =
                new EntityWrite(
                        kind,
                        one.partitionKey(),
                        one.rowKey(),
                        block,
                        ifMatch.map(IfMatch::versionTicks).orElse(OptionalLong.empty()));
        return new EntityChange(one.table(), write, preference, level, ifMatch);
    }

    /**
     * Returns the preference of a write. A delete has nothing to return, so its {@code Prefer} is
     * ignored, as recorded.
     */
    public static Optional<Preference> preference(Verb verb, HeaderList headers) {
        return switch (verb) {
            case POST, PUT, MERGE -> Preference.parse(headers.list("Prefer"));
            case GET, HEAD, DELETE, OPTIONS -> Optional.empty();
        };
    }

    private byte[] block(
            Resource.OneEntity one, HeaderList headers, byte[] body, int offset, int length) {
        ContentNegotiation.checkBodyType(headers.first("Content-Type"));
        return entities.readForUpdate(body, offset, length, one.partitionKey(), one.rowKey())
                .block();
    }

    private static Kind kind(Verb verb, boolean conditional) {
        return switch (verb) {
            case PUT -> conditional ? Kind.UPDATE : Kind.INSERT_OR_REPLACE;
            case MERGE -> conditional ? Kind.MERGE : Kind.INSERT_OR_MERGE;
            case DELETE -> Kind.DELETE;
            case GET, HEAD, POST, OPTIONS ->
                    throw new StorageException(ErrorCode.METHOD_NOT_ALLOWED);
        };
    }

    private static void checkConditions(Verb verb, Kind kind, HeaderList headers) {
        boolean ifMatch = headers.has("If-Match");
        if (headers.has("If-None-Match")) {
            throw new StorageException(
                    ErrorCode.INVALID_INPUT,
                    ifMatch
                            ? "Both If-Match and If-None-Match HTTP headers cannot be specified at"
                                    + " the same time. Please specify either one of the headers or"
                                    + " none of them."
                            : "If-None-Match HTTP header cannot be specified for "
                                    + verb
                                    + " operations.");
        }
        if (kind == Kind.DELETE && !ifMatch) {
            throw new StorageException(ErrorCode.MISSING_REQUIRED_HEADER);
        }
    }
}

package io.parterre.frontend.service;

import io.parterre.entity.EdmType;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.filter.Filter;
import io.parterre.frontend.auth.Access;
import io.parterre.frontend.auth.Account;
import io.parterre.frontend.auth.Action;
import io.parterre.frontend.call.CallMemory;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.store.EntityWrite;
import io.parterre.frontend.store.StalenessNote;
import io.parterre.frontend.store.TableStore;
import io.parterre.frontend.table.ApiVersion;
import io.parterre.frontend.table.ContentNegotiation;
import io.parterre.frontend.table.ETags;
import io.parterre.frontend.table.EntityChange;
import io.parterre.frontend.table.EntityChangeReader;
import io.parterre.frontend.table.FilterLimits;
import io.parterre.frontend.table.FilterParser;
import io.parterre.frontend.table.IfMatch;
import io.parterre.frontend.table.MetadataLevel;
import io.parterre.frontend.table.Preference;
import io.parterre.frontend.table.QueryOptions;
import io.parterre.frontend.table.Resource;
import io.parterre.frontend.table.ResourceLinks;
import io.parterre.frontend.table.Verb;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * An authenticated operation on a resource: a call of its own, or part of a batch.
 *
 * @param access what its credential permits
 * @param body array that holds the body, in place
 * @param deadline when it must be answered
 * @param staleness kept by an operation that came to the secondary; empty: to the primary
 * @param memory of the call
 */
@SuppressWarnings("ArrayRecordComponent") // A message, never compared.
record Operation(
        Account account,
        Access access,
        ResourceLinks links,
        ApiVersion version,
        Verb verb,
        Resource resource,
        QueryOptions options,
        HeaderList headers,
        byte[] body,
        int bodyOffset,
        int bodyLength,
        Instant deadline,
        Optional<StalenessNote> staleness,
        CallMemory memory) {
    /** Where it reads. */
    TableStore reads(TableStore primary) {
        return staleness.map(primary::secondary).orElse(primary);
    }

    /** The same on another resource. */
    Operation on(Resource other) {
        return new Operation(
                account,
                access,
                links,
                version,
                verb,
                other,
                options,
                headers,
                body,
                bodyOffset,
                bodyLength,
                deadline,
                staleness,
                memory);
    }

    /**
     * Refuses what its credential does not permit. Keys are checked where they are known.
     *
     * @throws StorageException an {@code AUTHORIZATION_…}, or {@code RESOURCE_NOT_FOUND}
     */
    void authorize() {
        authorize(RequestedAction.of(this), resource.match(RequestedAction.TABLE));
    }

    /**
     * Refuses an operation on settings that its credential does not permit.
     *
     * @throws StorageException an {@code AUTHORIZATION_…}, or {@code RESOURCE_NOT_FOUND}
     */
    void authorizeSettings() {
        authorize(RequestedAction.ofService(this), "");
    }

    private void authorize(Action action, String table) {
        Optional<ErrorCode> refusal = access.refusal(action, table);
        if (refusal.isPresent()) {
            throw new StorageException(refusal.get());
        }
    }

    /**
     * Refuses a write that its credential does not permit, now that it is read.
     *
     * @throws StorageException an {@code AUTHORIZATION_…}
     */
    void authorize(EntityChange change) {
        EntityWrite write = change.write();
        authorize(RequestedAction.of(write.kind()), change.table());
        if (!access.keys().contains(write.partitionKey(), write.rowKey())) {
            throw new StorageException(ErrorCode.AUTHORIZATION_FAILURE);
        }
    }

    /**
     * The level of the answer's body. Who gets no body is not refused for the format of it, unless
     * the version knows no format that the request's own body could have.
     *
     * @throws StorageException a 415
     */
    MetadataLevel level() {
        return switch (verb) {
            case GET, HEAD, POST, OPTIONS -> negotiated();
            case PUT, MERGE -> {
                if (!version.hasJson()) {
                    throw new StorageException(ErrorCode.JSON_FORMAT_NOT_SUPPORTED);
                }
                yield levelOr(MetadataLevel.MINIMAL);
            }
            case DELETE -> levelOr(MetadataLevel.MINIMAL);
        };
    }

    private MetadataLevel negotiated() {
        return ContentNegotiation.level(
                options.nonEmpty("$format"), headers.list("Accept"), version);
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
     * @throws SyntaxException if it is malformed or there are several
     */
    Optional<IfMatch> ifMatch() {
        return headers.list("If-Match").map(all -> SyntaxException.of(() -> ETags.parse(all)));
    }

    /**
     * {@code $filter}, or the one that lets all pass.
     *
     * @param declared types of the properties that are declared
     * @throws SyntaxException if it is malformed or beyond a limit
     */
    Filter filter(FilterLimits limits, Map<String, EdmType> declared) {
        return SyntaxException.of(
                        () ->
                                options.filter()
                                        .map(text -> FilterParser.parse(text, limits, declared)))
                .orElse(Filter.Constant.ALL);
    }
}

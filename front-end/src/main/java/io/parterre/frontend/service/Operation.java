package io.parterre.frontend.service;

import io.parterre.entity.EdmType;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.filter.Filter;
import io.parterre.frontend.auth.Authentication;
import io.parterre.frontend.call.CallMemory;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpCall;
import io.parterre.frontend.store.TableStore;
import io.parterre.frontend.table.ApiVersion;
import io.parterre.frontend.table.ContentNegotiation;
import io.parterre.frontend.table.ETags;
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
import io.parterre.key.AccountId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * An operation on a resource: a call of its own, or part of a batch.
 *
 * @param request the call
 * @param caller the caller, and what the credential permits
 * @param deadline when the operation must be answered
 * @param body array that contains the body, not copied
 */
@SuppressWarnings("ArrayRecordComponent") // A message, never compared.
record Operation(
        TableRequest request,
        Authentication.Granted caller,
        Instant deadline,
        Verb verb,
        Resource resource,
        QueryOptions options,
        HeaderList headers,
        byte[] body,
        int bodyOffset,
        int bodyLength) {
    /** Returns the operation that a whole call asks for. */
    static Operation of(
            TableRequest request,
            Authentication.Granted caller,
            Instant deadline,
            Resource resource) {
        HttpCall call = request.call();
        return new Operation(
                request,
                caller,
                deadline,
                request.verb(),
                resource,
                request.options(),
                call.headers(),
                call.body(),
                0,
                call.body().length);
    }

    AccountId accountId() {
        return caller.account().accountId();
    }

    ResourceLinks links() {
        return request.links();
    }

    CallMemory memory() {
        return request.call().memory();
    }

    /**
     * Returns the store from which the operation reads: the secondary if the call's address is one.
     */
    TableStore reads(TableStore primary) {
        return request.staleness().map(primary::secondary).orElse(primary);
    }

    /**
     * Returns the level of the answer's body. A client that gets no body is not refused for the
     * format that it asks for, unless the version has no format for the body of the request.
     *
     * @throws StorageException with status 415
     */
    MetadataLevel level() {
        ApiVersion version = request.version();
        Optional<String> format = options.nonEmpty("$format");
        Optional<String> accept = headers.list("Accept");
        return switch (verb) {
            case GET, HEAD, POST, OPTIONS -> ContentNegotiation.level(format, accept, version);
            case PUT, MERGE -> {
                if (!version.hasJson()) {
                    throw new StorageException(ErrorCode.JSON_FORMAT_NOT_SUPPORTED);
                }
                yield ContentNegotiation.levelOrMinimal(format, accept, version);
            }
            case DELETE -> ContentNegotiation.levelOrMinimal(format, accept, version);
        };
    }

    Optional<Preference> preference() {
        return EntityChangeReader.preference(verb, headers);
    }

    /**
     * Returns the request's {@code If-Match}; empty if absent.
     *
     * @throws SyntaxException if it is malformed or there are several
     */
    Optional<IfMatch> ifMatch() {
        return headers.list("If-Match").map(all -> SyntaxException.of(() -> ETags.parse(all)));
    }

    /**
     * Returns {@code $filter}, or a filter that accepts everything if there is none.
     *
     * @param declared types of the declared properties
     * @throws SyntaxException if the filter is malformed or exceeds a limit
     */
    Filter filter(FilterLimits limits, Map<String, EdmType> declared) {
        return SyntaxException.of(
                        () ->
                                options.filter()
                                        .map(text -> FilterParser.parse(text, limits, declared)))
                .orElse(Filter.Constant.ALL);
    }
}

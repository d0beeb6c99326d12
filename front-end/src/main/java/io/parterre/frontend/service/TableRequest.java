package io.parterre.frontend.service;

import io.parterre.error.StorageException;
import io.parterre.frontend.call.HttpCall;
import io.parterre.frontend.store.StalenessNote;
import io.parterre.frontend.table.ApiVersion;
import io.parterre.frontend.table.QueryOptions;
import io.parterre.frontend.table.ResourceLinks;
import io.parterre.frontend.table.TableAddress;
import io.parterre.frontend.table.Verb;
import java.util.List;
import java.util.Optional;

/**
 * A call whose caller is not authenticated and whose resource and body are not read yet.
 *
 * @param links addresses in the answer
 * @param ofSettings whether {@code comp} or {@code restype} is given, so that the call concerns
 *     settings
 * @param staleness staleness of the reads of a call to the secondary address; empty for the primary
 */
record TableRequest(
        HttpCall call,
        CallContext context,
        TableAddress address,
        ResourceLinks links,
        Verb verb,
        QueryOptions options,
        ApiVersion version,
        boolean ofSettings,
        Optional<StalenessNote> staleness) {
    /**
     * Reads address, verb, options and version, in this order.
     *
     * @throws StorageException for the first of these that is malformed
     */
    static TableRequest read(HttpCall call, CallContext context, List<String> hostSuffixes) {
        TableAddress address =
                TableAddress.of(
                        call.secure(), call.headers().first("Host"), call.rawPath(), hostSuffixes);
        Verb verb = Verb.of(call.method(), call.headers());
        QueryOptions options = QueryOptions.parse(call.rawQuery());
        ApiVersion version =
                ApiVersion.parse(
                        call.headers()
                                .first("x-ms-version")
                                .or(() -> options.nonEmpty("api-version"))
                                .or(() -> options.nonEmpty("sv")));
        return new TableRequest(
                call,
                context,
                address,
                ResourceLinks.of(address),
                verb,
                options,
                version,
                options.value("comp").isPresent() || options.value("restype").isPresent(),
                address.secondary() ? Optional.of(new StalenessNote()) : Optional.empty());
    }
}

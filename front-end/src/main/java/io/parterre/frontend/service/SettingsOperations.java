package io.parterre.frontend.service;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.settings.AccessPolicyXml;
import io.parterre.frontend.settings.ServicePropertiesXml;
import io.parterre.frontend.settings.ServiceStatsXml;
import io.parterre.frontend.settings.SettingsLimits;
import io.parterre.frontend.store.TableStore;
import io.parterre.frontend.table.OperationAnswer;
import io.parterre.frontend.table.Resource;
import io.parterre.frontend.table.TableNames;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Operations that {@code comp} names: access policies of a table, properties and state of the
 * service. Answers are XML, whatever the client accepts. Source: docs/protocol.md 3.10 and 3.11.
 * Thread-safe.
 */
record SettingsOperations(TableStore store, CorsPolicies cors, SettingsLimits limits) {
    private static final String XML = "application/xml";

    /**
     * Runs the operation.
     *
     * @throws StorageException if the request is invalid
     */
    CompletionStage<OperationAnswer> run(Operation operation) {
        boolean secondary = operation.request().address().secondary();
        if (secondary && operation.verb().isWrite()) {
            throw new StorageException(ErrorCode.INSUFFICIENT_ACCOUNT_PERMISSIONS);
        }
        if (operation.bodyLength() > limits.documentBytesMax()) {
            throw new StorageException(ErrorCode.REQUEST_BODY_TOO_LARGE);
        }
        if (is(operation, "comp", "acl") && operation.resource() instanceof Resource.Entities set) {
            TableNames.checkInAddress(set);
            return onPolicies(operation, set.table());
        }
        boolean ofService =
                is(operation, "restype", "service")
                        && operation.resource() instanceof Resource.Service;
        if (ofService && is(operation, "comp", "properties")) {
            return onProperties(operation);
        }
        if (ofService && is(operation, "comp", "stats") && secondary) {
            return onStats(operation);
        }
        throw new StorageException(ErrorCode.INVALID_QUERY_PARAMETER_VALUE);
    }

    private static boolean is(Operation operation, String name, String value) {
        return operation.options().value(name).filter(value::equalsIgnoreCase).isPresent();
    }

    private CompletionStage<OperationAnswer> onPolicies(Operation operation, String table) {
        return switch (operation.verb()) {
            case GET, HEAD ->
                    operation
                            .reads(store)
                            .readTablePolicies(
                                    operation.accountId(), checked(table), operation.deadline())
                            .thenApply(policies -> xml(AccessPolicyXml.write(policies)));
            case PUT -> {
                checkLengthIsKnown(operation);
                yield store.setTablePolicies(
                                operation.accountId(),
                                checked(table),
                                AccessPolicyXml.read(
                                        operation.body(),
                                        operation.bodyOffset(),
                                        operation.bodyLength(),
                                        limits),
                                operation.deadline())
                        .thenApply(set -> empty(204));
            }
            case POST, MERGE, DELETE, OPTIONS ->
                    throw new StorageException(ErrorCode.METHOD_NOT_ALLOWED);
        };
    }

    /**
     * Refuses an empty document without a stated length: it removes all policies, so it must be
     * sent on purpose.
     *
     * @throws StorageException {@code MISSING_CONTENT_LENGTH_HEADER}
     */
    private static void checkLengthIsKnown(Operation operation) {
        boolean said =
                operation.headers().has("Content-Length")
                        || operation.headers().has("Transfer-Encoding");
        if (operation.bodyLength() == 0 && !said) {
            throw new StorageException(ErrorCode.MISSING_CONTENT_LENGTH_HEADER);
        }
    }

    private static String checked(String table) {
        if (!TableNames.isPossible(table)) {
            throw new StorageException(ErrorCode.TABLE_NOT_FOUND);
        }
        return table;
    }

    private CompletionStage<OperationAnswer> onProperties(Operation operation) {
        boolean early = operation.request().version().hasOneKindOfMetrics();
        return switch (operation.verb()) {
            case GET ->
                    operation
                            .reads(store)
                            .serviceProperties(operation.accountId(), operation.deadline())
                            .thenApply(
                                    properties ->
                                            xml(ServicePropertiesXml.write(properties, early)));
            case PUT ->
                    store.setServiceProperties(
                                    operation.accountId(),
                                    ServicePropertiesXml.read(
                                            operation.body(),
                                            operation.bodyOffset(),
                                            operation.bodyLength(),
                                            early,
                                            limits),
                                    operation.deadline())
                            .thenApply(
                                    set -> {
                                        cors.changed(operation.accountId());
                                        return empty(202);
                                    });
            case HEAD, POST, MERGE, DELETE, OPTIONS ->
                    throw new StorageException(ErrorCode.METHOD_NOT_ALLOWED);
        };
    }

    /** Asks for the staleness of the account's data, so that the stated time is correct. */
    private CompletionStage<OperationAnswer> onStats(Operation operation) {
        Instant now = operation.request().context().receivedAt();
        return switch (operation.verb()) {
            case GET ->
                    store.secondaryStaleness(operation.accountId(), operation.deadline())
                            .thenApply(
                                    age ->
                                            xml(
                                                    age.map(now::minus)
                                                            .map(ServiceStatsXml::live)
                                                            .orElseGet(
                                                                    ServiceStatsXml::unavailable)));
            case HEAD, POST, PUT, MERGE, DELETE, OPTIONS ->
                    throw new StorageException(ErrorCode.METHOD_NOT_ALLOWED);
        };
    }

    private static OperationAnswer xml(byte[] document) {
        return new OperationAnswer(
                200, Optional.of(XML), Optional.empty(), HeaderList.EMPTY, document);
    }

    private static OperationAnswer empty(int status) {
        return OperationAnswer.empty(status, Optional.empty(), HeaderList.EMPTY);
    }
}

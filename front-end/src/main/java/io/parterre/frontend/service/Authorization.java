package io.parterre.frontend.service;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.auth.Access;
import io.parterre.frontend.auth.Action;
import io.parterre.frontend.auth.Authentication;
import io.parterre.frontend.store.EntityWrite;
import io.parterre.frontend.table.EntityChange;
import io.parterre.frontend.table.Resource;
import io.parterre.frontend.table.ResourcePath;
import io.parterre.frontend.table.TableNames;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides whether the credential of a request permits what the request asks for. Stateless;
 * thread-safe. Source: docs/protocol.md 8.5, 8.6 and 10.5.
 */
final class Authorization {
    private Authorization() {}

    /**
     * Returns the operation that a request asks for. The keys of its entities are checked where
     * they become known: see {@link #check(Operation, EntityChange)}.
     *
     * @param deadline when the operation must be answered
     * @throws StorageException an {@code AUTHORIZATION_…} or {@code RESOURCE_NOT_FOUND} if the
     *     operation is not permitted; another code if its path, its options or the name of its
     *     table is invalid
     */
    static Operation authorize(
            TableRequest request, Authentication.Granted caller, Instant deadline) {
        if (request.ofSettings()) {
            Action action = RequestedAction.ofSettings(request.verb(), request.options());
            check(caller.access(), action, "");
            return Operation.of(request, caller, deadline, resource(request));
        }
        Resource resource = resource(request);
        // Only the body shows whether a batch writes, because a single query is a batch too.
        boolean writes = request.verb().isWrite() && !(resource instanceof Resource.Batch);
        if (request.address().secondary() && writes) {
            throw new StorageException(ErrorCode.INSUFFICIENT_ACCOUNT_PERMISSIONS);
        }
        request.options().checkSystemOptions();
        Operation operation = Operation.of(request, caller, deadline, resource);
        check(operation);
        return operation;
    }

    private static Resource resource(TableRequest request) {
        return ResourcePath.parse(request.address().resourcePath());
    }

    /**
     * Refuses an operation on tables or entities that is not permitted, or that names an impossible
     * table.
     *
     * @throws StorageException an {@code AUTHORIZATION_…}, or {@code RESOURCE_NOT_FOUND}; see
     *     {@link TableNames#checkInAddress}
     */
    static void check(Operation operation) {
        check(
                operation.caller().access(),
                RequestedAction.of(operation),
                operation.resource().table());
        TableNames.checkInAddress(operation.resource());
    }

    /**
     * Refuses a write that is not permitted, now that its kind and its keys are known.
     *
     * @throws StorageException an {@code AUTHORIZATION_…}
     */
    static void check(Operation operation, EntityChange change) {
        Access access = operation.caller().access();
        EntityWrite write = change.write();
        check(access, RequestedAction.of(write.kind()), change.table());
        if (!access.keys().contains(write.partitionKey(), write.rowKey())) {
            throw new StorageException(ErrorCode.AUTHORIZATION_FAILURE);
        }
    }

    private static void check(Access access, Action action, String table) {
        Optional<ErrorCode> refusal = access.refusal(action, table);
        if (refusal.isPresent()) {
            throw new StorageException(refusal.get());
        }
    }
}

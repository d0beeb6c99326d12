package io.parterre.frontend.service;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.table.ContentNegotiation;
import io.parterre.frontend.table.EntityReader;
import io.parterre.frontend.table.OperationAnswer;
import io.parterre.frontend.table.Resource;
import io.parterre.frontend.table.Verb;
import java.util.concurrent.CompletionStage;

/**
 * Operations on entities by their verbs. Source: docs/protocol.md 3.6 to 3.9. Stateless;
 * thread-safe.
 */
record EntityOperations(EntityReads reads, EntityWrites writes, EntityReader bodies) {
    /** Number of keys that name an entity. */
    private static final int KEYS = 2;

    /** Runs {@code GET} or {@code POST /table}. */
    CompletionStage<OperationAnswer> onAll(Operation operation, Resource.Entities set) {
        return switch (operation.verb()) {
            case GET -> reads.query(operation, set.table());
            case POST -> writes.change(operation);
            case HEAD, PUT, MERGE, DELETE, OPTIONS ->
                    throw new StorageException(ErrorCode.METHOD_NOT_ALLOWED);
        };
    }

    /** Runs any verb but {@code POST} on {@code /table(PartitionKey='..',RowKey='..')}. */
    CompletionStage<OperationAnswer> onOne(Operation operation, Resource.OneEntity one) {
        return switch (operation.verb()) {
            case GET -> reads.read(operation, one);
            case PUT, MERGE, DELETE -> writes.change(operation);
            case HEAD, POST, OPTIONS -> throw new StorageException(ErrorCode.METHOD_NOT_ALLOWED);
        };
    }

    /**
     * Answers any verb on a path below a table, which a client sends if its address of the account
     * is wrong. The answer is that of a call on the table itself, whose existence is checked first;
     * nothing is executed. Source: tests of clients, which recognize the mistake by the answer.
     */
    CompletionStage<OperationAnswer> below(Operation operation, Resource.BelowTable below) {
        if (operation.verb() == Verb.HEAD) {
            throw new StorageException(ErrorCode.METHOD_NOT_ALLOWED);
        }
        if (operation.verb() == Verb.POST) {
            ContentNegotiation.checkBodyType(operation.headers().first("Content-Type"));
        }
        EntityReads.checkTable(below.table());
        return reads.found(operation, below.table())
                .thenApply(
                        any -> {
                            throw refusal(operation, below);
                        });
    }

    private StorageException refusal(Operation operation, Resource.BelowTable below) {
        return switch (operation.verb()) {
            case GET -> new StorageException(ErrorCode.NOT_IMPLEMENTED);
            case POST -> {
                bodies.readForInsert(
                        operation.body(), operation.bodyOffset(), operation.bodyLength());
                yield new StorageException(ErrorCode.INVALID_URI);
            }
            case PUT, MERGE, DELETE ->
                    below.keys() == KEYS
                            ? new StorageException(ErrorCode.INVALID_URI)
                            : new StorageException(
                                    ErrorCode.INVALID_INPUT,
                                    "The number of keys specified in the URI does not match number"
                                            + " of key properties for the resource.");
            case HEAD, OPTIONS -> new StorageException(ErrorCode.METHOD_NOT_ALLOWED);
        };
    }
}

package io.parterre.frontend.service;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.table.OperationAnswer;
import io.parterre.frontend.table.Resource;
import java.util.concurrent.CompletionStage;

/**
 * Dispatches operations to the code that serves their resources. Stateless; thread-safe.
 *
 * @param entityBodyBytesMax most bytes of a body that is neither a batch nor settings
 */
record Dispatch(
        TableOperations tables,
        EntityOperations entities,
        BatchOperations batches,
        SettingsOperations settings,
        int entityBodyBytesMax) {
    /**
     * Runs a permitted operation.
     *
     * @throws StorageException if the request is invalid
     * @throws SyntaxException if its filter or its {@code If-Match} is malformed
     */
    CompletionStage<OperationAnswer> run(Operation operation) {
        if (operation.request().ofSettings()) {
            return settings.run(operation);
        }
        boolean batch = operation.resource() instanceof Resource.Batch;
        if (!batch && operation.bodyLength() > entityBodyBytesMax) {
            throw new StorageException(ErrorCode.REQUEST_BODY_TOO_LARGE);
        }
        return operation.resource().match(new ByResource(operation));
    }

    private final class ByResource implements Resource.Cases<CompletionStage<OperationAnswer>> {
        private final Operation operation;

        ByResource(Operation operation) {
            this.operation = operation;
        }

        @Override
        public CompletionStage<OperationAnswer> service() {
            throw new StorageException(ErrorCode.INVALID_URI);
        }

        @Override
        public CompletionStage<OperationAnswer> tables() {
            return tables.onAll(operation);
        }

        @Override
        public CompletionStage<OperationAnswer> table(Resource.Table table) {
            return tables.onOne(operation, table.table());
        }

        @Override
        public CompletionStage<OperationAnswer> entities(Resource.Entities set) {
            return entities.onAll(operation, set);
        }

        @Override
        public CompletionStage<OperationAnswer> entity(Resource.OneEntity one) {
            return entities.onOne(operation, one);
        }

        @Override
        public CompletionStage<OperationAnswer> below(Resource.BelowTable below) {
            return entities.below(operation, below);
        }

        @Override
        public CompletionStage<OperationAnswer> batch() {
            return batches.run(operation);
        }

        @Override
        public CompletionStage<OperationAnswer> metadata() {
            throw new StorageException(ErrorCode.NOT_IMPLEMENTED);
        }
    }
}

package io.parterre.frontend.service;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.table.BatchPart;
import io.parterre.frontend.table.QueryOptions;
import io.parterre.frontend.table.Resource;
import io.parterre.frontend.table.ResourcePath;
import io.parterre.frontend.table.Verb;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads the parts of a batch as operations of the enclosing call. Not thread-safe; one for each
 * batch. Caches the resource of the last part, because inserts into a table all have the same
 * address.
 */
final class PartReader implements Function<BatchPart, Operation> {
    private final Operation outer;
    private Optional<Named> last = Optional.empty();

    PartReader(Operation outer) {
        this.outer = outer;
    }

    private record Named(String target, Resource resource, QueryOptions options) {}

    /**
     * Returns the operation in a part.
     *
     * @throws StorageException if the part has no operation on entities, or its credential does not
     *     permit the operation
     */
    @Override
    public Operation apply(BatchPart part) {
        Verb verb = Verb.ofPart(part.method(), part.headers());
        Named named =
                last.filter(known -> known.target().equals(part.target()))
                        .orElseGet(() -> named(part));
        last = Optional.of(named);
        Operation operation =
                new Operation(
                        outer.request(),
                        outer.caller(),
                        outer.deadline(),
                        verb,
                        named.resource(),
                        named.options(),
                        part.headers(),
                        part.body(),
                        part.bodyOffset(),
                        part.bodyLength());
        Authorization.check(operation);
        return operation;
    }

    private Named named(BatchPart part) {
        QueryOptions options = QueryOptions.parse(part.rawQuery());
        options.checkSystemOptions();
        Resource resource =
                ResourcePath.parse(outer.request().address().resourcePathOfPart(part.rawPath()));
        boolean ofEntities =
                resource instanceof Resource.Entities || resource instanceof Resource.OneEntity;
        if (!ofEntities) {
            throw new StorageException(ErrorCode.INVALID_INPUT);
        }
        return new Named(part.target(), resource, options);
    }
}

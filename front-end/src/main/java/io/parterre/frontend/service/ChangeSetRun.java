package io.parterre.frontend.service;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.store.WriteResult;
import io.parterre.frontend.table.BatchBody.Section;
import io.parterre.frontend.table.BatchPart;
import io.parterre.frontend.table.BatchRules;
import io.parterre.frontend.table.EntityChange;
import io.parterre.frontend.table.OperationAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * One change set on its way to its answer. Source: Table service protocol reference, sections 7.1
 * and 7.7. One thread at a time.
 *
 * <p>The operations are read in order, each wholly, before anything is asked of the cluster: the
 * first that is malformed or breaks a rule of batches tells. What is found while executing comes
 * back from the cluster with its index. Errors that a client should retry end the whole call, not a
 * part of it, so that clients' retry policies see them.
 */
final class ChangeSetRun {
    private final EntityOperations entities;
    private final BatchAnswer answer;
    private final Function<BatchPart, Operation> reader;
    private final List<BatchPart> parts;
    private final int refusedSections;
    private final List<Operation> operations = new ArrayList<>();
    private final List<EntityChange> changes = new ArrayList<>();

    ChangeSetRun(
            EntityOperations entities,
            BatchAnswer answer,
            Function<BatchPart, Operation> reader,
            Section.ChangeSet changeSet,
            int refusedSections) {
        this.entities = entities;
        this.answer = answer;
        this.reader = reader;
        this.parts = changeSet.parts();
        this.refusedSections = refusedSections;
    }

    CompletionStage<OperationAnswer> run(Operation outer, int operationsMax) {
        BatchRules rules = new BatchRules(operationsMax);
        for (BatchPart part : parts) {
            Optional<OperationAnswer> refused = read(part, rules);
            if (refused.isPresent()) {
                return CompletableFuture.completedStage(refused.get());
            }
        }
        if (changes.isEmpty()) {
            answer.openChangeSet();
            return CompletableFuture.completedStage(closed());
        }
        return entities.write(outer, changes)
                .handle(
                        (result, thrown) ->
                                thrown == null
                                        ? answered(result)
                                        : failed(Failure.toTell(thrown), 0, 0));
    }

    private Optional<OperationAnswer> read(BatchPart part, BatchRules rules) {
        int index = changes.size();
        try {
            rules.checkCount();
        } catch (StorageException tooMany) {
            // The text names the last legal operation, whatever the excess, as recorded.
            return Optional.of(failed(Failure.of(tooMany), index, index - 1));
        }
        try {
            Operation operation = reader.apply(part);
            if (!operation.verb().isWrite()) {
                throw new StorageException(ErrorCode.INVALID_INPUT);
            }
            EntityChange change = entities.parseChange(operation);
            rules.add(change);
            operations.add(operation);
            changes.add(change);
            return Optional.empty();
        } catch (StorageException | SyntaxRefusal refusal) {
            return Optional.of(failed(Failure.of(refusal), index, index));
        }
    }

    private OperationAnswer answered(WriteResult result) {
        if (result instanceof WriteResult.Refused refused) {
            int index = refused.operationIndex();
            StorageException refusal = entities.refusal(refused, changes.get(index));
            return failed(Failure.of(refusal), index, index);
        }
        answer.openChangeSet();
        for (int i = 0; i < changes.size(); i++) {
            long ticks = EntityOperations.ticks((WriteResult.Written) result, i);
            answer.part(entities.changed(operations.get(i), changes.get(i), ticks), parts.get(i));
        }
        return closed();
    }

    /** Nothing was done: the failed operation's part is the only one. */
    private OperationAnswer failed(Failure failure, int index, int named) {
        // A change set of one is answered like a plain request, but for a missing table: recorded.
        boolean prefixed = parts.size() > 1 || failure.code() == ErrorCode.TABLE_NOT_FOUND;
        answer.openChangeSet();
        answer.failed(prefixed ? failure.prefixed(named) : failure, parts.get(index));
        return closed();
    }

    /** Change sets after the first are refused; the first one stands. */
    private OperationAnswer closed() {
        answer.closeChangeSet();
        for (int i = 0; i < refusedSections; i++) {
            answer.refusedSection();
        }
        return answer.close();
    }
}

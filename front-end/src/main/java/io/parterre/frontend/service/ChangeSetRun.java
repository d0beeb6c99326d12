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
 * Executes one change set and builds its answer. Source: docs/protocol.md 7.1 and 7.7. Not
 * thread-safe.
 *
 * <p>Every error names the index of its operation, with one exception: an error found while
 * executing a change set of one operation is reported as for a plain request, as recorded.
 *
 * <p>All operations are read completely and in order before anything is asked of the cluster; the
 * first one that is malformed or breaks a rule of batches determines the error. Errors found while
 * executing come back from the cluster with their index. Errors that a client should retry fail the
 * whole call and not a part of it, so that clients' retry policies see them.
 */
final class ChangeSetRun {
    private final EntityWrites writes;
    private final BatchAnswer answer;
    private final Function<BatchPart, Operation> reader;
    private final List<BatchPart> parts;
    private final List<Integer> refusedSections;
    private final List<Operation> operations = new ArrayList<>();
    private final List<EntityChange> changes = new ArrayList<>();

    /**
     * Creates a run of this change set.
     *
     * @param refusedSections index of the first operation of each other section
     */
    ChangeSetRun(
            EntityWrites writes,
            BatchAnswer answer,
            Function<BatchPart, Operation> reader,
            Section.ChangeSet changeSet,
            List<Integer> refusedSections) {
        this.writes = writes;
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
        return writes.write(outer, changes)
                .handle(
                        (result, thrown) ->
                                thrown == null
                                        ? answered(result)
                                        : failed(Failure.toTell(thrown).prefixed(0), 0));
    }

    private Optional<OperationAnswer> read(BatchPart part, BatchRules rules) {
        int index = changes.size();
        try {
            rules.checkCount();
        } catch (StorageException tooMany) {
            // The text names the last legal operation, however many there are, as recorded.
            return Optional.of(failed(Failure.of(tooMany).prefixed(index - 1), index));
        }
        try {
            Operation operation = reader.apply(part);
            if (!operation.verb().isWrite()) {
                throw new StorageException(ErrorCode.INVALID_INPUT);
            }
            EntityChange change = writes.parseChange(operation);
            rules.add(change);
            operations.add(operation);
            changes.add(change);
            return Optional.empty();
        } catch (StorageException | SyntaxException refusal) {
            return Optional.of(failed(Failure.of(refusal).prefixed(index), index));
        }
    }

    private OperationAnswer answered(WriteResult result) {
        if (result instanceof WriteResult.Refused refused) {
            int index = refused.operationIndex();
            Failure failure = Failure.of(writes.refusal(refused, changes.get(index)));
            return failed(parts.size() == 1 ? failure : failure.prefixed(index), index);
        }
        answer.openChangeSet();
        for (int i = 0; i < changes.size(); i++) {
            long ticks = EntityWrites.ticks((WriteResult.Written) result, i);
            answer.part(writes.changed(operations.get(i), changes.get(i), ticks), parts.get(i));
        }
        return closed();
    }

    /** Returns the answer when nothing was done: it contains only the failed operation's part. */
    private OperationAnswer failed(Failure failure, int index) {
        answer.openChangeSet();
        answer.failed(failure, parts.get(index));
        return closed();
    }

    /**
     * Returns the complete answer. Change sets after the first are refused; the first one stays
     * executed.
     */
    private OperationAnswer closed() {
        answer.closeChangeSet();
        refusedSections.forEach(answer::refusedSection);
        return answer.close();
    }
}

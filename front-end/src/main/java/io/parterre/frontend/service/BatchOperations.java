package io.parterre.frontend.service;

import io.parterre.error.Blame;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.store.WriteResult;
import io.parterre.frontend.table.BatchAnswerWriter;
import io.parterre.frontend.table.BatchBody;
import io.parterre.frontend.table.BatchBody.Section;
import io.parterre.frontend.table.BatchParser;
import io.parterre.frontend.table.BatchPart;
import io.parterre.frontend.table.BatchRules;
import io.parterre.frontend.table.EntityChange;
import io.parterre.frontend.table.ErrorAnswer;
import io.parterre.frontend.table.ErrorBody;
import io.parterre.frontend.table.MetadataLevel;
import io.parterre.frontend.table.OperationAnswer;
import io.parterre.frontend.table.QueryOptions;
import io.parterre.frontend.table.Resource;
import io.parterre.frontend.table.ResourcePath;
import io.parterre.frontend.table.TableAddress;
import io.parterre.frontend.table.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Entity group transactions. Source: Table service protocol reference, section 7. Stateless; safe
 * for any thread.
 *
 * <p>A change set's operations are read in order, each wholly, before anything is asked of the
 * cluster: the first that is malformed or breaks a rule of the batch tells. What is found while
 * executing comes back from the cluster with its index. Errors that a client should retry end the
 * whole call, not a part of it, so that clients' retry policies see them.
 */
final class BatchOperations {
    private final EntityOperations entities;
    private final BatchParser parser;
    private final int operationsMax;
    private final int bytesMax;
    private final Supplier<String> ids;

    BatchOperations(EntityOperations entities, TableServiceConfig config, Supplier<String> ids) {
        this.entities = entities;
        this.parser = new BatchParser(config.batchOperationsMax());
        this.operationsMax = config.batchOperationsMax();
        this.bytesMax = config.batchBytesMax();
        this.ids = ids;
    }

    CompletionStage<OperationAnswer> run(
            CallContext context, TableAddress address, Operation outer) {
        if (outer.verb() != Verb.POST) {
            throw new StorageException(ErrorCode.METHOD_NOT_ALLOWED);
        }
        if (outer.body().length > bytesMax) {
            throw new StorageException(ErrorCode.REQUEST_BODY_TOO_LARGE);
        }
        BatchBody body = parser.parse(outer.headers().first("Content-Type"), outer.body());
        Answering answering = new Answering(context, address, outer);
        Section first = body.sections().get(0);
        boolean queriesBesideOthers =
                body.sections().size() > 1
                        && body.sections().stream().anyMatch(Section.Single.class::isInstance);
        if (queriesBesideOthers) {
            return CompletableFuture.completedStage(answering.refusedSection());
        }
        int others = body.sections().size() - 1;
        return first instanceof Section.ChangeSet changeSet
                ? answering.changeSet(changeSet, others)
                : answering.single(((Section.Single) first).part());
    }

    /** One batch on its way to its answer. */
    private final class Answering {
        private final CallContext context;
        private final TableAddress address;
        private final Operation outer;
        private final BatchAnswerWriter writer = new BatchAnswerWriter(ids.get(), ids.get());

        Answering(CallContext context, TableAddress address, Operation outer) {
            this.context = context;
            this.address = address;
            this.outer = outer;
        }

        CompletionStage<OperationAnswer> changeSet(Section.ChangeSet changeSet, int others) {
            List<Operation> operations = new ArrayList<>();
            List<EntityChange> changes = new ArrayList<>();
            BatchRules rules = new BatchRules(operationsMax);
            writer.openChangeSet();
            for (BatchPart part : changeSet.parts()) {
                Optional<Failure> failure = read(part, rules, operations, changes);
                if (failure.isPresent()) {
                    return CompletableFuture.completedStage(
                            failed(changeSet, failure.get(), changes.size(), others));
                }
            }
            if (changes.isEmpty()) {
                return CompletableFuture.completedStage(closed(others));
            }
            return entities.write(outer, changes)
                    .handle(
                            (result, thrown) ->
                                    thrown == null
                                            ? written(
                                                    changeSet, operations, changes, result, others)
                                            : notWritten(changeSet, thrown, others));
        }

        private Optional<Failure> read(
                BatchPart part,
                BatchRules rules,
                List<Operation> operations,
                List<EntityChange> changes) {
            try {
                // The limit counts the operation before it: the service names the last legal one.
                rules.checkCount();
                Operation operation = operation(part);
                EntityChange change = entities.parseChange(operation);
                rules.add(change);
                operations.add(operation);
                changes.add(change);
                return Optional.empty();
            } catch (StorageException | SyntaxRefusal refusal) {
                return Optional.of(Failure.of(refusal));
            }
        }

        private OperationAnswer written(
                Section.ChangeSet changeSet,
                List<Operation> operations,
                List<EntityChange> changes,
                WriteResult result,
                int others) {
            if (result instanceof WriteResult.Refused refused) {
                int index = refused.operationIndex();
                StorageException refusal = EntityOperations.refusal(refused, changes.get(index));
                return failed(changeSet, Failure.of(refusal), index, others);
            }
            WriteResult.Written written = (WriteResult.Written) result;
            for (int i = 0; i < changes.size(); i++) {
                long ticks = EntityOperations.ticks(written, i);
                writer.part(
                        entities.changed(operations.get(i), changes.get(i), ticks),
                        contentId(changeSet.parts().get(i)));
            }
            return closed(others);
        }

        private OperationAnswer notWritten(
                Section.ChangeSet changeSet, Throwable thrown, int others) {
            Throwable cause = Failure.unwrapped(thrown);
            if (cause instanceof StorageException error && error.code().blame() == Blame.CALLER) {
                return failed(changeSet, Failure.of(error), 0, others);
            }
            throw new java.util.concurrent.CompletionException(cause);
        }

        /** Nothing was done: the failed operation's part is the only one. */
        private OperationAnswer failed(
                Section.ChangeSet changeSet, Failure failure, int index, int others) {
            boolean tooMany = index == operationsMax;
            BatchPart part = changeSet.parts().get(index);
            // The text names the last legal operation, whatever the excess, as recorded.
            int named = tooMany ? index - 1 : index;
            boolean prefixed =
                    changeSet.parts().size() > 1 || failure.code() == ErrorCode.TABLE_NOT_FOUND;
            String text = prefixed ? named + ":" + failure.text() : failure.text();
            writer.part(error(failure, text, part), contentId(part));
            return closed(others);
        }

        /** Change sets after the first are refused, and the first one stands. */
        private OperationAnswer closed(int others) {
            writer.closeChangeSet();
            for (int i = 0; i < others; i++) {
                writer.part(invalid(), Optional.empty());
            }
            return answer();
        }

        private OperationAnswer answer() {
            return new OperationAnswer(
                    202,
                    Optional.of(writer.contentType()),
                    Optional.empty(),
                    HeaderList.EMPTY,
                    writer.close());
        }

        /** A query beside other operations: nothing is done. */
        OperationAnswer refusedSection() {
            writer.part(invalid(), Optional.empty());
            return answer();
        }

        CompletionStage<OperationAnswer> single(BatchPart part) {
            Optional<String> contentId = contentId(part);
            return queried(part)
                    .handle(
                            (answer, thrown) -> {
                                if (thrown == null) {
                                    writer.part(answer, contentId);
                                } else {
                                    writer.part(queryError(part, thrown), contentId);
                                }
                                return answer();
                            });
        }

        private CompletionStage<OperationAnswer> queried(BatchPart part) {
            try {
                Operation operation = operation(part);
                if (operation.verb() != Verb.GET) {
                    throw new StorageException(ErrorCode.INVALID_INPUT);
                }
                if (operation.resource() instanceof Resource.OneEntity one) {
                    return entities.onOne(operation, one);
                }
                if (operation.resource() instanceof Resource.Entities set) {
                    return entities.onAll(operation, set);
                }
                throw new StorageException(ErrorCode.INVALID_INPUT);
            } catch (StorageException | SyntaxRefusal refusal) {
                return CompletableFuture.failedStage(refusal);
            }
        }

        private ErrorAnswer queryError(BatchPart part, Throwable thrown) {
            Throwable cause = Failure.unwrapped(thrown);
            boolean refusal =
                    cause instanceof SyntaxRefusal
                            || cause instanceof StorageException error
                                    && error.code().blame() == Blame.CALLER;
            if (!refusal) {
                throw new java.util.concurrent.CompletionException(cause);
            }
            Failure failure = Failure.of(cause);
            return error(failure, failure.text(), part);
        }

        private Operation operation(BatchPart part) {
            Verb verb = Verb.of(part.method(), part.headers());
            QueryOptions options = QueryOptions.parse(part.rawQuery());
            Resource resource = ResourcePath.parse(address.resourcePathOfPart(part.rawPath()));
            options.checkSystemOptions();
            return new Operation(
                    outer.account(),
                    outer.links(),
                    outer.version(),
                    verb,
                    resource,
                    options,
                    part.headers(),
                    part.body(),
                    part.bodyOffset(),
                    part.bodyLength(),
                    outer.deadline());
        }

        private ErrorAnswer error(Failure failure, String text, BatchPart part) {
            boolean missingTable = failure.code() == ErrorCode.TABLE_NOT_FOUND;
            return new ErrorAnswer(
                    failure.code().status(),
                    !failure.ofSyntax() && !missingTable,
                    failure.echoesPreference()
                            ? io.parterre.frontend.table.Preference.parse(
                                            part.headers().first("Prefer"))
                                    .filter(applied -> !part.method().equals("DELETE"))
                            : Optional.empty(),
                    MetadataLevel.MINIMAL.contentType(),
                    ErrorBody.json(
                            failure.code().wireName(),
                            text,
                            context.requestId(),
                            context.receivedAt()));
        }

        private ErrorAnswer invalid() {
            ErrorCode code = ErrorCode.INVALID_INPUT;
            return new ErrorAnswer(
                    code.status(),
                    true,
                    Optional.empty(),
                    MetadataLevel.MINIMAL.contentType(),
                    ErrorBody.json(
                            code.wireName(),
                            code.text(),
                            context.requestId(),
                            context.receivedAt()));
        }

        private Optional<String> contentId(BatchPart part) {
            return part.headers().first("Content-ID").filter(id -> id.indexOf('\r') < 0);
        }
    }
}

package io.parterre.frontend.service;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.table.BatchAnswerWriter;
import io.parterre.frontend.table.BatchBody;
import io.parterre.frontend.table.BatchBody.Section;
import io.parterre.frontend.table.BatchParser;
import io.parterre.frontend.table.BatchPart;
import io.parterre.frontend.table.OperationAnswer;
import io.parterre.frontend.table.Resource;
import io.parterre.frontend.table.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Entity group transactions: one change set, or one query. Source: docs/protocol.md 7. Stateless;
 * thread-safe.
 */
final class BatchOperations {
    private final EntityReads reads;
    private final EntityWrites writes;
    private final BatchParser parser;
    private final int operationsMax;
    private final int bytesMax;
    private final Supplier<String> ids;

    BatchOperations(
            EntityReads reads, EntityWrites writes, BatchLimits limits, Supplier<String> ids) {
        this.reads = reads;
        this.writes = writes;
        this.parser = new BatchParser(limits.operationsMax());
        this.operationsMax = limits.operationsMax();
        this.bytesMax = limits.bytesMax();
        this.ids = ids;
    }

    CompletionStage<OperationAnswer> run(Operation outer) {
        if (outer.verb() != Verb.POST) {
            throw new StorageException(ErrorCode.METHOD_NOT_ALLOWED);
        }
        if (outer.bodyLength() > bytesMax) {
            throw new StorageException(ErrorCode.REQUEST_BODY_TOO_LARGE);
        }
        BatchBody body = parser.parse(outer.headers().first("Content-Type"), outer.body());
        if (outer.request().address().secondary() && body.hasChangeSet()) {
            throw new StorageException(ErrorCode.INSUFFICIENT_ACCOUNT_PERMISSIONS);
        }
        Section section = body.sections().get(0);
        BatchAnswer answer =
                new BatchAnswer(
                        outer.request().context(),
                        new BatchAnswerWriter(ids.get(), ids.get(), operations(section)));
        List<Integer> others = others(body.sections());
        boolean queryBesideOthers =
                !others.isEmpty()
                        && body.sections().stream().anyMatch(Section.Single.class::isInstance);
        if (queryBesideOthers) {
            answer.refusedSection(others.get(0));
            return CompletableFuture.completedStage(answer.close());
        }
        Function<BatchPart, Operation> reader = new PartReader(outer);
        return section instanceof Section.ChangeSet changeSet
                ? new ChangeSetRun(writes, answer, reader, changeSet, others)
                        .run(outer, operationsMax)
                : query(((Section.Single) section).part(), reader, answer);
    }

    private static int operations(Section section) {
        return section instanceof Section.ChangeSet changeSet ? changeSet.parts().size() : 1;
    }

    /** Returns the index of the first operation of each section after the first. */
    private static List<Integer> others(List<Section> sections) {
        List<Integer> indexes = new ArrayList<>();
        int index = 0;
        for (Section section : sections.subList(0, sections.size() - 1)) {
            index += operations(section);
            indexes.add(index);
        }
        return indexes;
    }

    private CompletionStage<OperationAnswer> query(
            BatchPart part, Function<BatchPart, Operation> reader, BatchAnswer answer) {
        return queried(part, reader)
                .handle(
                        (found, thrown) -> {
                            if (thrown == null) {
                                answer.part(found, part);
                            } else {
                                answer.failed(Failure.toTell(thrown).prefixed(0), part);
                            }
                            return answer.close();
                        });
    }

    private CompletionStage<OperationAnswer> queried(
            BatchPart part, Function<BatchPart, Operation> reader) {
        try {
            Operation operation = reader.apply(part);
            if (operation.verb() != Verb.GET) {
                throw new StorageException(ErrorCode.INVALID_INPUT);
            }
            return operation.resource() instanceof Resource.OneEntity one
                    ? reads.read(operation, one)
                    : reads.query(operation, operation.resource().table());
        } catch (StorageException | SyntaxException refusal) {
            return CompletableFuture.failedStage(refusal);
        }
    }
}

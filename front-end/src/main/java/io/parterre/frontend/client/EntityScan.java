package io.parterre.frontend.client;

import static io.parterre.frontend.client.KeyMessages.bytes;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.parterre.filter.Filter;
import io.parterre.filter.FilterCodec;
import io.parterre.frontend.call.CallMemory;
import io.parterre.frontend.store.EntityPageResult;
import io.parterre.frontend.store.EntityPosition;
import io.parterre.frontend.store.EntityQuery;
import io.parterre.key.Key;
import io.parterre.key.Scope;
import io.parterre.proto.range.Projection;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.Scan;
import io.parterre.proto.range.ScanPage;
import io.parterre.range.RangeDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Reads one page of one query: interval by interval and, within an interval, range by range in key
 * order.
 *
 * <p>A full page keeps scanning, without taking more rows, until it is known whether anything
 * follows, so that a client does not ask for an empty page. A page that runs out of time names the
 * position where it stopped. Only one scan is in flight at a time, so two threads never run in this
 * class at once.
 */
final class EntityScan {
    private final RangeReads reads;
    private final Deadline deadline;
    private final PageBudget budget;
    private final CallMemory memory;
    private final IntervalWalk walk;
    private final ByteString filter;
    private final Optional<Projection> projection;
    private final List<byte[]> pages = new ArrayList<>();
    private final CompletableFuture<EntityPageResult> result = new CompletableFuture<>();

    private boolean looked;
    private long examined;

    EntityScan(
            RangeReads reads,
            Scope scope,
            EntityQuery query,
            PageBudget budget,
            Deadline deadline) {
        this.reads = reads;
        this.deadline = deadline;
        this.budget = budget;
        this.memory = query.memory();
        this.walk = new IntervalWalk(scope, query.intervals(), query.from());
        this.filter =
                query.filter().equals(Filter.Constant.ALL)
                        ? ByteString.EMPTY
                        : UnsafeByteOperations.unsafeWrap(FilterCodec.encode(query.filter()));
        this.projection =
                query.select().map(names -> Projection.newBuilder().addAllNames(names).build());
    }

    CompletableFuture<EntityPageResult> run() {
        goOn();
        return result;
    }

    private void goOn() {
        if (!walk.hasMore()) {
            finish(Optional.empty());
            return;
        }
        // A page examines something before it ends; otherwise the next page would stop at the same
        // place.
        if (budget.isSpent() && looked) {
            finish(Optional.of(walk.position()));
            return;
        }
        RangeAnswer.take(
                reads.scan(walk.next(), deadline, budget.timeLeft(), memory, this::putScan),
                result,
                this::take);
    }

    private void putScan(RangeRequest.Builder request, RangeDescriptor range) {
        Scan.Builder scan =
                Scan.newBuilder()
                        .setStart(bytes(walk.next()))
                        .setEndExclusive(bytes(walk.endWithin(range)))
                        .setFilter(filter)
                        .setBudget(budget.toProto());
        projection.ifPresent(scan::setProjection);
        request.setScan(scan);
    }

    private void take(RangeAnswer answer) {
        if (!answer.response().hasScanPage()) {
            throw new IllegalArgumentException(
                    "answer: " + answer.response().getBodyCase() + " (expected: scan page)");
        }
        ScanPage page = answer.response().getScanPage();
        boolean peeked = budget.isFull();
        looked = true;
        budget.spend(page);
        examined += page.getExaminedRows();
        if (page.getRowCount() > 0) {
            pages.add(page.getRows().toByteArray());
        }
        if (!page.hasResumeKey()) {
            walk.goTo(walk.endWithin(answer.range()));
            goOn();
            return;
        }
        walk.goTo(Key.wrap(page.getResumeKey().toByteArray()));
        if (peeked || budget.isFull() || budget.isSpent()) {
            finish(Optional.of(walk.position()));
        } else {
            goOn();
        }
    }

    private void finish(Optional<EntityPosition> following) {
        result.complete(new EntityPageResult(pages, examined, following));
    }
}

package io.parterre.frontend.client;

import static io.parterre.frontend.client.KeyMessages.bytes;

import io.parterre.directory.TableRecord;
import io.parterre.directory.TableRecordCodec;
import io.parterre.entity.EdmValue;
import io.parterre.entity.EntityCodec;
import io.parterre.entity.EntityPage;
import io.parterre.entity.EntityView;
import io.parterre.entity.Property;
import io.parterre.filter.EntityPredicate;
import io.parterre.filter.Filter;
import io.parterre.frontend.call.CallMemory;
import io.parterre.frontend.store.EntityPosition;
import io.parterre.frontend.store.TablePage;
import io.parterre.frontend.store.TableQuery;
import io.parterre.frontend.table.LowerCaseNames;
import io.parterre.frontend.table.QueryPlanner;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.Scope;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.Scan;
import io.parterre.proto.range.ScanBudget;
import io.parterre.proto.range.ScanPage;
import io.parterre.range.RangeDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Reads one page of an account's tables: directory rows in the order of their names in lower case.
 * The filter is evaluated here, because it concerns names and not entities. The filter's conditions
 * on names also limit which rows are read: one table, or those of a prefix, are found among a
 * million without reading the others. Only one scan is in flight at a time, so two threads never
 * run in this class at once.
 */
final class TableListing {
    /** Rows fetched beyond those asked for: one more shows whether tables follow. */
    private static final int LOOK_AHEAD = 1;

    private static final QueryPlanner PLANNER = new QueryPlanner(1_000);

    private final RangeReads reads;
    private final Scope directory;
    private final TableQuery query;
    private final EntityPredicate predicate;
    private final IntervalWalk walk;
    private final Deadline pageEnd;
    private final Deadline deadline;
    private final List<String> names = new ArrayList<>();
    private final CompletableFuture<TablePage> result = new CompletableFuture<>();
    private boolean looked;
    private Optional<String> following = Optional.empty();

    TableListing(
            RangeReads reads,
            AccountId accountId,
            TableQuery query,
            Deadline pageEnd,
            Deadline deadline) {
        this.reads = reads;
        this.directory = Scope.ofTableDirectory(accountId);
        this.query = query;
        Filter filter = LowerCaseNames.in(query.filter());
        this.predicate = new EntityPredicate(filter);
        this.walk =
                new IntervalWalk(
                        directory,
                        PLANNER.plan(LowerCaseNames.asKeys(filter)).intervals(),
                        EntityPosition.startOf(query.fromLowerCase()));
        this.pageEnd = pageEnd;
        this.deadline = deadline;
    }

    CompletableFuture<TablePage> run() {
        goOn();
        return result;
    }

    private void goOn() {
        if (following.isPresent() || !walk.hasMore()) {
            result.complete(new TablePage(names, following));
            return;
        }
        // A page examines something before it ends; otherwise the next page would stop at the same
        // place.
        if (looked && pageEnd.isOver()) {
            result.complete(new TablePage(names, Optional.of(walk.position().partitionKey())));
            return;
        }
        // Names alone take little memory, so they are not counted.
        RangeAnswer.take(
                reads.scan(
                        walk.next(), deadline, pageEnd.left(), CallMemory.UNCOUNTED, this::putScan),
                result,
                this::take);
    }

    private void putScan(RangeRequest.Builder request, RangeDescriptor range) {
        int rows = query.top() - names.size() + LOOK_AHEAD;
        request.setScan(
                Scan.newBuilder()
                        .setStart(bytes(walk.next()))
                        .setEndExclusive(bytes(walk.endWithin(range)))
                        .setBudget(
                                ScanBudget.newBuilder()
                                        .setRowsMax(rows)
                                        .setBytesMax(reads.config().pageBytesMax())
                                        .setExaminedRowsMax(reads.config().pageRowsExaminedMax())
                                        .setTimeMillisMax(
                                                (int) Math.max(1, pageEnd.left().toMillis()))));
    }

    private void take(RangeAnswer answer) {
        ScanPage page = answer.response().getScanPage();
        EntityPage.forEachRow(page.getRows().toByteArray(), this::takeRow);
        looked = true;
        walk.goTo(
                page.hasResumeKey()
                        ? Key.wrap(page.getResumeKey().toByteArray())
                        : walk.endWithin(answer.range()));
        goOn();
    }

    private void takeRow(Key key, byte[] value) {
        TableRecord table = TableRecordCodec.decode(value);
        if (following.isPresent() || table.state() != TableRecord.State.LIVE || !matches(table)) {
            return;
        }
        if (names.size() < query.top()) {
            names.add(table.name());
        } else {
            following = Optional.of(LowerCaseNames.of(table.name()));
        }
    }

    private boolean matches(TableRecord table) {
        String lowerCase = LowerCaseNames.of(table.name());
        byte[] block =
                EntityCodec.encodeBlock(
                        List.of(new Property("TableName", new EdmValue.StringValue(lowerCase))));
        Key key = KeyCodec.entity(directory, lowerCase, "");
        return predicate.test(EntityView.of(key, EntityCodec.encodeValue(0, block)));
    }
}

package io.parterre.frontend.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.parterre.directory.TableRecord;
import io.parterre.directory.TableRecordCodec;
import io.parterre.entity.EdmValue;
import io.parterre.entity.EntityCodec;
import io.parterre.entity.EntityPage;
import io.parterre.entity.EntityView;
import io.parterre.entity.Property;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.filter.EntityPredicate;
import io.parterre.frontend.store.TablePage;
import io.parterre.frontend.store.TableQuery;
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
 * One page of an account's tables: directory rows in the order of their names in lower case,
 * filtered here, since the filter is over names and not over entities. One scan at a time, so no
 * two threads are ever in here.
 */
final class TableListing {
    /** Rows fetched at once beyond those asked for: the one that tells that there are more. */
    private static final int LOOK_AHEAD = 1;

    private final RangeCalls calls;
    private final Scope directory;
    private final TableQuery query;
    private final EntityPredicate predicate;
    private final Deadline pageEnd;
    private final Deadline deadline;
    private final Key endExclusive;
    private final List<String> names = new ArrayList<>();
    private final CompletableFuture<TablePage> result = new CompletableFuture<>();
    private Optional<String> following = Optional.empty();
    private Key next;

    TableListing(
            RangeCalls calls,
            AccountId accountId,
            TableQuery query,
            Deadline pageEnd,
            Deadline deadline) {
        this.calls = calls;
        this.directory = Scope.ofTableDirectory(accountId);
        this.query = query;
        this.predicate = new EntityPredicate(LowerCaseNames.in(query.filter()));
        this.pageEnd = pageEnd;
        this.deadline = deadline;
        this.next = KeyCodec.tableDirectoryRow(accountId, query.fromLowerCase());
        this.endExclusive = KeyCodec.scope(directory).afterPrefix();
    }

    CompletableFuture<TablePage> run() {
        scan();
        return result;
    }

    private void scan() {
        calls.scan(next, deadline, pageEnd.left(), this::putScan)
                .whenComplete(
                        (answer, failure) -> {
                            if (failure != null) {
                                result.completeExceptionally(Tables.cause(failure));
                            } else {
                                takeSafely(answer);
                            }
                        });
    }

    private void putScan(RangeRequest.Builder request, RangeDescriptor range) {
        int rows = query.top() - names.size() + LOOK_AHEAD;
        request.setScan(
                Scan.newBuilder()
                        .setStart(bytes(next))
                        .setEndExclusive(bytes(endWithin(range)))
                        .setBudget(
                                ScanBudget.newBuilder()
                                        .setRowsMax(rows)
                                        .setBytesMax(calls.config().pageBytesMax())
                                        .setExaminedRowsMax(calls.config().pageRowsExaminedMax())
                                        .setTimeMillisMax(
                                                (int) Math.max(1, pageEnd.left().toMillis()))));
    }

    private Key endWithin(RangeDescriptor range) {
        Key rangeEnd = range.bounds().endExclusive();
        return rangeEnd.compareTo(endExclusive) < 0 ? rangeEnd : endExclusive;
    }

    private void takeSafely(RangeAnswer answer) {
        try {
            take(answer);
        } catch (RuntimeException malformed) {
            result.completeExceptionally(new StorageException(ErrorCode.INTERNAL_ERROR, malformed));
        }
    }

    private void take(RangeAnswer answer) {
        ScanPage page = answer.response().getScanPage();
        EntityPage.forEachRow(page.getRows().toByteArray(), this::takeRow);
        next =
                page.hasResumeKey()
                        ? Key.wrap(page.getResumeKey().toByteArray())
                        : endWithin(answer.range());
        if (following.isPresent() || next.compareTo(endExclusive) >= 0) {
            result.complete(new TablePage(names, following));
        } else if (pageEnd.isOver()) {
            String from = EntityPositions.atOrAfter(directory, next).partitionKey();
            result.complete(new TablePage(names, Optional.of(from)));
        } else {
            scan();
        }
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

    private static ByteString bytes(Key key) {
        return UnsafeByteOperations.unsafeWrap(key.unsafeBytes());
    }
}

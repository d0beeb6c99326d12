package io.parterre.frontend.client;

import static io.parterre.frontend.client.KeyMessages.bytes;

import io.parterre.directory.TableRecord;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.client.TableCache.Name;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.proto.range.BeginDeleteTable;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.CreateTable;
import io.parterre.proto.range.FenceScope;
import io.parterre.proto.range.Fenced;
import io.parterre.proto.range.FinishDeleteTable;
import io.parterre.proto.range.Outcome;
import io.parterre.proto.range.Rejected;
import java.util.concurrent.CompletableFuture;

/**
 * Creates and deletes tables. Thread-safe.
 *
 * <p>Deletion, in this order:
 *
 * <ol>
 *   <li>The directory row becomes <em>deleting</em>. No front end resolves the name any more, but
 *       front ends that have it cached still write.
 *   <li>The scope is fenced in every range that overlaps it, from its first key to its last. The
 *       range of the next key is asked only when the one before is fenced, so a split or merge
 *       meanwhile leaves no gap. A write before its range's fence is deleted with the table; a
 *       write after the fence is refused. So no write is acknowledged and then lost to a deletion
 *       that was acknowledged earlier.
 *   <li>The directory row is removed, and the name is free. A new table of the same name gets
 *       another id, so it shares no key with this one.
 * </ol>
 *
 * <p>Every step may be repeated by any front end: an interrupted deletion is finished by the next
 * delete or create of that name. The point of no return is the first step.
 */
record TableChanges(Commands commands, Tables tables, ObjectIds objectIds) {
    CompletableFuture<Void> create(Name name, String nameAsGiven, Deadline deadline) {
        return objectIds
                .next(deadline)
                .thenCompose(tableId -> create(name, nameAsGiven, tableId, deadline));
    }

    private CompletableFuture<Void> create(
            Name name, String nameAsGiven, ObjectId tableId, Deadline deadline) {
        CreateTable create =
                CreateTable.newBuilder()
                        .setKey(bytes(Tables.directoryKey(name)))
                        .setName(nameAsGiven)
                        .setTableId(tableId.value())
                        .build();
        return sendToDirectory(name, deadline, Command.newBuilder().setCreateTable(create))
                .thenCompose(
                        outcome -> {
                            if (outcome.hasTableChanged()) {
                                tables.created(
                                        name,
                                        new TableRecord(
                                                nameAsGiven, tableId, TableRecord.State.LIVE));
                                return CompletableFuture.completedFuture(null);
                            }
                            Rejected rejected = rejected(outcome);
                            if (!isRejected(rejected, ErrorCode.TABLE_BEING_DELETED)) {
                                throw refusal(rejected);
                            }
                            return finishDelete(name, new ObjectId(rejected.getTableId()), deadline)
                                    .thenCompose(
                                            done -> create(name, nameAsGiven, tableId, deadline));
                        });
    }

    CompletableFuture<Void> delete(Name name, Deadline deadline) {
        BeginDeleteTable begin =
                BeginDeleteTable.newBuilder().setKey(bytes(Tables.directoryKey(name))).build();
        return sendToDirectory(name, deadline, Command.newBuilder().setBeginDeleteTable(begin))
                .thenCompose(
                        outcome -> {
                            tables.deleted(name);
                            return finishDelete(name, tableBeingDeleted(outcome), deadline);
                        });
    }

    /**
     * Returns the id of the table, also if another front end began to delete it: a front end that
     * repeats the step finishes the deletion.
     */
    private static ObjectId tableBeingDeleted(Outcome outcome) {
        if (outcome.hasTableChanged()) {
            return new ObjectId(outcome.getTableChanged().getTableId());
        }
        Rejected rejected = rejected(outcome);
        if (isRejected(rejected, ErrorCode.TABLE_BEING_DELETED)) {
            return new ObjectId(rejected.getTableId());
        }
        throw refusal(rejected);
    }

    private CompletableFuture<Void> finishDelete(Name name, ObjectId tableId, Deadline deadline) {
        Key scope = KeyCodec.scope(Scope.ofTable(name.accountId(), tableId));
        FinishDeleteTable finish =
                FinishDeleteTable.newBuilder()
                        .setKey(bytes(Tables.directoryKey(name)))
                        .setTableId(tableId.value())
                        .build();
        return fenceFrom(scope, scope, deadline)
                .thenCompose(
                        fenced ->
                                sendToDirectory(
                                        name,
                                        deadline,
                                        Command.newBuilder().setFinishDeleteTable(finish)))
                // A rejection means that another front end has finished the deletion.
                .thenAccept(outcome -> tables.deleted(name));
    }

    /** Fences the scope in the range of {@code from} and in all ranges that follow. */
    private CompletableFuture<Void> fenceFrom(Key from, Key scope, Deadline deadline) {
        Command.Builder fence =
                Command.newBuilder().setFenceScope(FenceScope.newBuilder().setScope(bytes(scope)));
        Key end = KeyRange.ofPrefix(scope).endExclusive();
        return commands.send(from, deadline, fence)
                .thenCompose(
                        done -> {
                            if (!done.outcome().hasFenced()) {
                                throw refusal(rejected(done.outcome()));
                            }
                            Key next = fencedTo(done);
                            return next.compareTo(end) < 0
                                    ? fenceFrom(next, scope, deadline)
                                    : CompletableFuture.completedFuture(null);
                        });
    }

    /**
     * Returns where the fenced range ends. If the range was split before its fence was applied, it
     * ends below the bound that we knew.
     */
    private static Key fencedTo(Commands.Done done) {
        Fenced fenced = done.outcome().getFenced();
        return fenced.hasEndExclusive()
                ? Key.wrap(fenced.getEndExclusive().toByteArray())
                : done.answer().range().bounds().endExclusive();
    }

    private CompletableFuture<Outcome> sendToDirectory(
            Name name, Deadline deadline, Command.Builder command) {
        return commands.send(Tables.directoryKey(name), deadline, command)
                .thenApply(Commands.Done::outcome);
    }

    /**
     * Returns the refusal in an outcome.
     *
     * @throws StorageException {@code INTERNAL_ERROR} if the outcome is no refusal
     */
    static Rejected rejected(Outcome outcome) {
        if (outcome.hasRejected()) {
            return outcome.getRejected();
        }
        throw new StorageException(
                ErrorCode.INTERNAL_ERROR,
                new IllegalStateException("outcome: " + outcome.getResultCase()));
    }

    private static boolean isRejected(Rejected rejected, ErrorCode code) {
        return rejected.getCode().equals(code.wireName());
    }

    static StorageException refusal(Rejected rejected) {
        return ErrorCode.ofWireName(rejected.getCode())
                .map(StorageException::new)
                .orElseGet(
                        () ->
                                new StorageException(
                                        ErrorCode.INTERNAL_ERROR,
                                        new IllegalStateException(
                                                "code: " + rejected.getCode() + " (unknown)")));
    }
}

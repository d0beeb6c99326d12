package io.parterre.frontend.client;

import io.parterre.concurrent.Stages;
import io.parterre.directory.TableRecord;
import io.parterre.directory.TableRecordCodec;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.client.TableCache.Entry;
import io.parterre.frontend.client.TableCache.Name;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Resolves table names for readers of one kind of members. Answers of followers are not cached
 * together with those of leaders. Thread-safe.
 *
 * <p>A cached answer may be out of date but does no harm. A deleted table's scope is fenced in
 * every range before its name is free, so a request for it is answered as fenced. Then the name is
 * read again and the request is repeated for the table that now has the name. That a table does not
 * exist is not cached, because another front end may create it at any moment.
 */
final class Tables {
    /**
     * Reads of one name in a row: if more of them turn out to be deleted, the reason is a client's
     * loop, not chance.
     */
    private static final int READINGS_MAX = 4;

    private final ErrorCode gone;
    private final TableCache cache;
    private final long ageMaxNanos;
    private final LongSupplier nanos;

    /**
     * Creates a cache without tables.
     *
     * @param gone error for a name that repeatedly resolves to a deleted table
     */
    Tables(ErrorCode gone, ClusterClientConfig config, LongSupplier nanos) {
        this.gone = gone;
        this.cache = new TableCache(config.tablesCachedMax());
        this.ageMaxNanos = config.tableAgeMax().toNanos();
        this.nanos = nanos;
    }

    /**
     * Runs an operation on a table; repeats it if the name turns out to belong to another table by
     * now.
     */
    <T> CompletableFuture<T> with(
            RangeReads reads,
            Name name,
            Deadline deadline,
            Function<TableRecord, CompletableFuture<T>> what) {
        return with(reads, name, deadline, what, 1);
    }

    private <T> CompletableFuture<T> with(
            RangeReads reads,
            Name name,
            Deadline deadline,
            Function<TableRecord, CompletableFuture<T>> what,
            int readings) {
        Optional<TableRecord> known = cached(name);
        CompletableFuture<T> done =
                known.isPresent()
                        ? what.apply(known.get())
                        : read(reads, name, deadline)
                                .thenCompose(table -> what.apply(table.orElseThrow(Tables::none)));
        return done.exceptionallyCompose(
                failure -> {
                    if (!(Stages.cause(failure) instanceof ScopeFencedException)) {
                        return CompletableFuture.failedFuture(failure);
                    }
                    cache.remove(name);
                    return readings < READINGS_MAX
                            ? with(reads, name, deadline, what, readings + 1)
                            : CompletableFuture.failedFuture(new StorageException(gone));
                });
    }

    private Optional<TableRecord> cached(Name name) {
        return cache.get(name)
                .filter(entry -> nanos.getAsLong() - entry.readAtNanos() < ageMaxNanos)
                .map(Entry::table);
    }

    static StorageException none() {
        return new StorageException(ErrorCode.TABLE_NOT_FOUND);
    }

    /**
     * Reads the table of this name from the directory; empty if there is none or it is being
     * deleted.
     */
    CompletableFuture<Optional<TableRecord>> read(RangeReads reads, Name name, Deadline deadline) {
        long began = nanos.getAsLong();
        Key key = directoryKey(name);
        return reads.read(key, deadline, KeyMessages.readRow(key))
                .thenApply(
                        answer -> {
                            Optional<TableRecord> live = live(answer);
                            live.ifPresentOrElse(
                                    table -> cache.put(name, new Entry(table, began)),
                                    () -> cache.remove(name));
                            return live;
                        });
    }

    private static Optional<TableRecord> live(RangeAnswer answer) {
        if (!answer.response().hasRow() || !answer.response().getRow().hasValue()) {
            return Optional.empty();
        }
        byte[] value = answer.response().getRow().getValue().toByteArray();
        return Optional.of(TableRecordCodec.decode(value))
                .filter(table -> table.state() == TableRecord.State.LIVE);
    }

    void created(Name name, TableRecord table) {
        cache.put(name, new Entry(table, nanos.getAsLong()));
    }

    /** Drops what is cached of the name, because it is no longer valid. */
    void deleted(Name name) {
        cache.remove(name);
    }

    static Key directoryKey(Name name) {
        return KeyCodec.tableDirectoryRow(name.accountId(), name.lowerCase());
    }
}

package io.parterre.server.store;

import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * The node can no longer keep what it promised: a disk error, a broken invariant, or data of
 * another cluster. From then on it acknowledges nothing; the process should exit or be restarted.
 *
 * @param operation what was being done, for the log
 */
public record StoreFailure(String operation, Throwable cause) {
    /** What on disk reads differently than it was written; empty: it failed for another reason. */
    public Optional<String> damage() {
        return damage(cause).map(what -> operation + ": " + what);
    }

    /**
     * Whether memory was at an end, which comes of what was being done, and not of the disk, which
     * fails whatever is done.
     */
    public boolean isOfMemory() {
        return cause instanceof VirtualMachineError;
    }

    /** Looks through the causes: a refused write may tell of the store's failure first. */
    static Optional<String> damage(Throwable cause) {
        return Stream.iterate(cause, Objects::nonNull, Throwable::getCause)
                .filter(RocksDBException.class::isInstance)
                .map(RocksDBException.class::cast)
                .filter(StoreFailure::isCorruption)
                .findFirst()
                .map(Throwable::getMessage);
    }

    private static boolean isCorruption(RocksDBException failure) {
        return failure.getStatus() != null
                && failure.getStatus().getCode() == Status.Code.Corruption;
    }
}

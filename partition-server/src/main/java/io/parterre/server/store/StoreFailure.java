package io.parterre.server.store;

import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * A failure after which the node can no longer keep its promises: a disk error, a broken invariant,
 * or data of another cluster. From then on the node acknowledges nothing; the process should exit
 * or be restarted.
 *
 * @param operation operation that failed, for the log
 */
public record StoreFailure(String operation, Throwable cause) {
    /**
     * Returns a description of data that reads differently than it was written; empty: there was
     * another reason.
     */
    public Optional<String> damage() {
        return damage(cause).map(what -> operation + ": " + what);
    }

    /**
     * Returns whether memory was exhausted. The operation causes that failure, while a disk fails
     * for any operation.
     */
    public boolean isOfMemory() {
        return cause instanceof VirtualMachineError;
    }

    /** Searches the causes, because a refused write may wrap the store's first failure. */
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

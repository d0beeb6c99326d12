package io.parterre.server.store;

import java.util.Optional;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.BackgroundErrorReason;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * Keeps the first failure of a compaction that RocksDB starts by itself. RocksDB's properties only
 * count such failures, and damage has to be distinguished from a full disk, from which RocksDB
 * recovers. Safe for any thread.
 *
 * <p>RocksDB does not report failures of flushes, or of writes to the list of files, to this
 * listener. The Java part of RocksDB 10.10 lacks the reasons that these have without a write-ahead
 * log, and throws before it calls the listener. Such errors stop all writes, so the next write
 * reports them.
 */
final class BackgroundErrors extends AbstractEventListener {
    private volatile Optional<RocksDBException> first = Optional.empty();

    BackgroundErrors() {
        super(EnabledEventCallback.ON_BACKGROUND_ERROR);
    }

    @Override
    public void onBackgroundError(BackgroundErrorReason reason, Status error) {
        RocksDBException failure =
                new RocksDBException(
                        "background flush or compaction failed "
                                + reason
                                + ": "
                                + error.getCodeString()
                                + " "
                                + error.getState(),
                        error);
        if (first.isEmpty() && !NoRoom.isOfRows(failure)) {
            first = Optional.of(failure);
        }
    }

    /** Returns the first failure for another reason than a full disk; empty: none was reported. */
    Optional<RocksDBException> failure() {
        return first;
    }
}

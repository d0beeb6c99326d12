package io.parterre.server.store;

import java.util.Optional;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.BackgroundErrorReason;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * Keeps why compactions fail that RocksDB begins by itself: its properties only count them, and
 * damage has to be told from a full disk, from which RocksDB recovers. Safe for any thread.
 *
 * <p>Of a flush, and of a write to the list of files, it is not told: the Java part of RocksDB
 * 10.10 knows none of the reasons that these have without a write-ahead log, and throws before it
 * calls. Such errors stop all writes, so the next write says what they are.
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

    /** The first for another reason than a full disk; empty: none was heard of. */
    Optional<RocksDBException> failure() {
        return first;
    }
}

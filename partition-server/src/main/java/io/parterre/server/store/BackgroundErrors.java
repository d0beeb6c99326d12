package io.parterre.server.store;

import java.util.Optional;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.BackgroundErrorReason;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * Keeps why flushes and compactions fail that RocksDB begins by itself: its properties only count
 * them, and what damage is has to be told from a full disk. Safe for any thread.
 */
final class BackgroundErrors extends AbstractEventListener {
    private static final String WHAT = "background flush or compaction failed";

    private volatile Optional<RocksDBException> first = Optional.empty();

    BackgroundErrors() {
        super(EnabledEventCallback.ON_BACKGROUND_ERROR);
    }

    @Override
    public void onBackgroundError(BackgroundErrorReason reason, Status error) {
        if (first.isEmpty()) {
            first =
                    Optional.of(
                            new RocksDBException(
                                    WHAT
                                            + " "
                                            + reason
                                            + ": "
                                            + error.getCodeString()
                                            + " "
                                            + error.getState(),
                                    error));
        }
    }

    RocksDBException failure() {
        return first.orElseGet(() -> new RocksDBException(WHAT));
    }
}

package io.parterre.server.store;

import java.io.IOException;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * Tells a disk that is full from one that fails: what a full disk refuses is not written, nothing
 * else is lost by it, and it can be written again once there is room. Stateless.
 */
public final class NoRoom {
    private static final int CAUSES_MAX = 20;

    /** As the C library says it; said in another language, it is a failure like any other. */
    private static final String ENOSPC = "No space left on device";

    private NoRoom() {}

    /** Whether a file could not be written since its disk is full. */
    public static boolean isCauseOf(Throwable failure) {
        Throwable each = failure;
        for (int i = 0; i < CAUSES_MAX && each != null; i++) {
            if (isOfRows(each) || isOfFile(each)) {
                return true;
            }
            each = each.getCause();
        }
        return false;
    }

    static boolean isOfRows(Throwable failure) {
        return failure instanceof RocksDBException ofRows
                && ofRows.getStatus() != null
                && ofRows.getStatus().getSubCode() == Status.SubCode.NoSpace;
    }

    private static boolean isOfFile(Throwable failure) {
        return failure instanceof IOException
                && failure.getMessage() != null
                && failure.getMessage().endsWith(ENOSPC);
    }
}

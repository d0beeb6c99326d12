package io.parterre.server.store;

import java.io.IOException;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * Distinguishes a full disk from a failing one. A write that a full disk refuses is not done, loses
 * nothing else, and can be retried once there is room. Stateless.
 */
public final class NoRoom {
    private static final int CAUSES_MAX = 20;

    /** Message of the C library. In another language it counts as a failure like any other. */
    private static final String ENOSPC = "No space left on device";

    private NoRoom() {}

    /** Returns whether a file could not be written because its disk is full. */
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

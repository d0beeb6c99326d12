package io.parterre.server.replica;

import com.google.protobuf.InvalidProtocolBufferException;
import io.parterre.server.store.StoreException;
import java.io.IOException;

/**
 * Tells whose failure it is when a log entry could not be applied. What the disk or the memory of a
 * node fails to do concerns all its ranges, and goes better elsewhere or after a start. All else
 * comes of the entry and the rows it is applied to: it will come again at each start, and on each
 * member, and concerns that range alone. Stateless.
 */
public final class ApplyFailure {
    private static final int CAUSES_MAX = 20;

    private ApplyFailure() {}

    /** Whether the replica is to be quarantined, instead of the node to end. */
    public static boolean isOfRange(Throwable failure) {
        Throwable each = failure;
        for (int i = 0; i < CAUSES_MAX && each != null; i++) {
            if (isOfNode(each)) {
                return false;
            }
            each = each.getCause();
        }
        return true;
    }

    private static boolean isOfNode(Throwable failure) {
        if (failure instanceof VirtualMachineError) {
            // How deep a stack gets depends on what is applied.
            return !(failure instanceof StackOverflowError);
        }
        return failure instanceof StoreException
                || failure instanceof IOException
                        && !(failure instanceof InvalidProtocolBufferException);
    }
}

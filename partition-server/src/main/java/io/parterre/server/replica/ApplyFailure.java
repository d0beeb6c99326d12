package io.parterre.server.replica;

import com.google.protobuf.InvalidProtocolBufferException;
import io.parterre.server.store.StoreException;
import java.io.IOException;

/**
 * Decides what is at fault if a log entry could not be applied. A failure of a node's disk or
 * memory concerns all its ranges, and may not occur elsewhere or after a restart. Any other failure
 * comes from the entry and the rows to which it is applied. It occurs again at each start and on
 * each member, and concerns that range alone. Stateless.
 */
public final class ApplyFailure {
    private static final int CAUSES_MAX = 20;

    private ApplyFailure() {}

    /** Whether to quarantine the replica instead of ending the node. */
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
            // The depth of the stack depends on the entry that is applied.
            return !(failure instanceof StackOverflowError);
        }
        return failure instanceof StoreException
                || failure instanceof IOException
                        && !(failure instanceof InvalidProtocolBufferException);
    }
}

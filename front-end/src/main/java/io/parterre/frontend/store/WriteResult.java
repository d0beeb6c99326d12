package io.parterre.frontend.store;

import io.parterre.error.ErrorCode;
import java.util.List;

/** Result of a write of one or more operations: all of them happened, or none. */
public sealed interface WriteResult {
    /**
     * Every operation happened.
     *
     * @param timestampTicks new timestamps in the order of the operations; 0 for DELETE
     */
    record Written(List<Long> timestampTicks) implements WriteResult {
        public Written {
            timestampTicks = List.copyOf(timestampTicks);
        }
    }

    /**
     * Nothing was written.
     *
     * @param operationIndex index of the refused operation, from 0
     */
    record Refused(ErrorCode code, int operationIndex) implements WriteResult {}
}

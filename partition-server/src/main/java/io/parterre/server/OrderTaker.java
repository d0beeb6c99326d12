package io.parterre.server;

import io.parterre.proto.manager.HeartbeatResponse;
import io.parterre.proto.manager.RefusedMerge;
import io.parterre.proto.manager.RefusedSplit;
import io.parterre.range.RangeId;
import java.util.List;
import java.util.Set;

/** Does what the manager's answers ask for. Safe for any thread; never blocks. */
interface OrderTaker extends AutoCloseable {
    /** Whether nothing is under way: what is reported now is what later orders are based on. */
    boolean isIdle();

    /**
     * Takes an answer, unless another one is still under way; an empty one where there is none.
     *
     * @param told ranges that the report it answers told of
     */
    void take(HeartbeatResponse answer, Set<RangeId> told);

    /** Lets the orders go; those that stand when there is time for them are given again. */
    void pass(HeartbeatResponse answer);

    /** Splits ordered with the answer taken last, and not done. */
    default List<RefusedSplit> refusedSplits() {
        return List.of();
    }

    /** Merges ordered with the answer taken last, and not done. */
    default List<RefusedMerge> refusedMerges() {
        return List.of();
    }

    @Override
    void close();
}

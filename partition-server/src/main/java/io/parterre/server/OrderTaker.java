package io.parterre.server;

import io.parterre.proto.manager.HeartbeatResponse;
import io.parterre.proto.manager.RefusedMerge;
import io.parterre.proto.manager.RefusedSplit;
import io.parterre.range.RangeId;
import java.util.List;
import java.util.Set;

/** Carries out the orders in a manager's answers. Safe for any thread; never blocks. */
interface OrderTaker extends AutoCloseable {
    /**
     * Returns whether no order is under way. A report made now is a valid base for later orders.
     */
    boolean isIdle();

    /**
     * Takes an answer, unless another answer is still under way. Without a manager, takes an empty
     * answer.
     *
     * @param told ranges in the report that this answer is for
     */
    void take(HeartbeatResponse answer, Set<RangeId> told);

    /** Drops the orders. The manager gives orders that still apply again. */
    void pass(HeartbeatResponse answer);

    /** Returns the splits that were ordered in the last taken answer and not done. */
    default List<RefusedSplit> refusedSplits() {
        return List.of();
    }

    /** Returns the merges that were ordered in the last taken answer and not done. */
    default List<RefusedMerge> refusedMerges() {
        return List.of();
    }

    @Override
    void close();
}

package io.parterre.simulator;

import io.parterre.manager.plan.progress.Order;
import io.parterre.range.RangeId;

/** The range that an order is about, so that those about one range stay in their order. */
final class RangeOfOrder implements Order.Cases<RangeId> {
    /** Of an order of no range: not in the way of any. */
    private static final RangeId NONE = new RangeId(Long.MAX_VALUE);

    @Override
    public RangeId host(Order.HostReplica host) {
        return host.range().rangeId();
    }

    @Override
    public RangeId join(Order.JoinReplica join) {
        return join.range().rangeId();
    }

    @Override
    public RangeId change(Order.ChangeMembers change) {
        return change.rangeId();
    }

    @Override
    public RangeId transfer(Order.TransferLead transfer) {
        return transfer.rangeId();
    }

    @Override
    public RangeId split(Order.SplitRange split) {
        return split.rangeId();
    }

    @Override
    public RangeId merge(Order.MergeRanges merge) {
        return merge.leftId();
    }

    @Override
    public RangeId thaw(Order.ThawRange thaw) {
        return thaw.rangeId();
    }

    @Override
    public RangeId remove(Order.RemoveReplica remove) {
        return remove.rangeId();
    }

    @Override
    public RangeId rebuildStore(Order.RebuildStore rebuildStore) {
        return NONE;
    }

    @Override
    public RangeId recover(Order.RecoverRange recover) {
        return recover.lostId();
    }

    @Override
    public RangeId quarantine(Order.QuarantineReplica quarantine) {
        return quarantine.rangeId();
    }
}

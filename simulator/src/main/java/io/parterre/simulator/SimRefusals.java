package io.parterre.simulator;

import io.parterre.manager.plan.progress.Order;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.RangeId;
import io.parterre.server.change.MergeOrder;
import io.parterre.server.change.SplitOrder;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Orders that a node refuses, with its reasons. Reported as long as the orders are repeated. */
final class SimRefusals {
    private final TreeMap<RangeId, NodeReport.SplitRefusal> ofSplits = new TreeMap<>();
    private final TreeMap<RangeId, NodeReport.MergeRefusal> ofMerges = new TreeMap<>();

    /** Records the verdict on an order; empty if it is not refused. */
    void put(SplitOrder order, Optional<SplitOrder.Verdict> refusal) {
        ofSplits.remove(order.firstChildId());
        refusal.ifPresent(
                why ->
                        ofSplits.put(
                                order.firstChildId(),
                                new NodeReport.SplitRefusal(order.firstChildId(), why.name())));
    }

    /** Records the verdict on an order; empty if it is not refused. */
    void put(MergeOrder order, Optional<MergeOrder.Verdict> refusal) {
        ofMerges.remove(order.leftId());
        refusal.ifPresent(
                why ->
                        ofMerges.put(
                                order.leftId(),
                                new NodeReport.MergeRefusal(
                                        order.leftId(),
                                        order.leftFrom(),
                                        order.rightId(),
                                        why.name())));
    }

    /** Forgets refusals of orders that are no longer given. Returns whether there were any. */
    boolean retain(List<Order> given) {
        Set<RangeId> splits = new HashSet<>();
        Set<RangeId> merges = new HashSet<>();
        for (Order order : given) {
            if (order instanceof Order.SplitRange split) {
                splits.add(split.childIds().get(0));
            } else if (order instanceof Order.MergeRanges merge) {
                merges.add(merge.leftId());
            }
        }
        return ofSplits.keySet().retainAll(splits) | ofMerges.keySet().retainAll(merges);
    }

    List<NodeReport.SplitRefusal> ofSplits() {
        return List.copyOf(ofSplits.values());
    }

    List<NodeReport.MergeRefusal> ofMerges() {
        return List.copyOf(ofMerges.values());
    }
}

package io.parterre.server;

import io.parterre.key.Key;
import io.parterre.proto.manager.RefusedSplit;
import io.parterre.proto.manager.SplitRange;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.change.SplitOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Converts orders to split from and to messages. Stateless; safe for any thread. */
final class SplitOrderCodec {
    private SplitOrderCodec() {}

    /**
     * Reads an order.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    static SplitOrder fromProto(SplitRange order) {
        return new SplitOrder(
                new RangeId(order.getRangeId()),
                new Generation(order.getGeneration()),
                order.getSplitPoint().isEmpty()
                        ? Optional.empty()
                        : Optional.of(Key.wrap(order.getSplitPoint().toByteArray())),
                childIds(order),
                order.getChildLeader().isEmpty()
                        ? Optional.empty()
                        : Optional.of(new NodeId(order.getChildLeader())));
    }

    private static List<RangeId> childIds(SplitRange order) {
        List<RangeId> ids = new ArrayList<>();
        ids.add(new RangeId(order.getChildRangeId()));
        order.getFurtherChildRangeIdsList().forEach(id -> ids.add(new RangeId(id)));
        return ids;
    }

    static RefusedSplit refused(SplitRange order, SplitOrder.Verdict verdict) {
        return RefusedSplit.newBuilder()
                .setRangeId(order.getRangeId())
                .setGeneration(order.getGeneration())
                .setChildRangeId(order.getChildRangeId())
                .setReason(reason(verdict))
                .build();
    }

    private static RefusedSplit.Reason reason(SplitOrder.Verdict verdict) {
        return switch (verdict) {
            case OTHER_GENERATION -> RefusedSplit.Reason.OTHER_GENERATION;
            case MEMBERS_CHANGING -> RefusedSplit.Reason.MEMBERS_CHANGING;
            case BAD_SPLIT_POINT -> RefusedSplit.Reason.BAD_SPLIT_POINT;
            case NO_SPLIT_POINT -> RefusedSplit.Reason.NO_SPLIT_POINT;
            case CHILD_KNOWN -> RefusedSplit.Reason.CHILD_KNOWN;
            case SPLIT, DONE ->
                    throw new IllegalArgumentException(
                            "verdict: " + verdict + " (expected: a refusal)");
        };
    }
}

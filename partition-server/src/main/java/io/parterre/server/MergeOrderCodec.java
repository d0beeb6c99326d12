package io.parterre.server;

import io.parterre.proto.manager.MergeRanges;
import io.parterre.proto.manager.RefusedMerge;
import io.parterre.range.Generation;
import io.parterre.range.RangeId;
import io.parterre.server.change.MergeOrder;

/** Converts orders to merge from and to messages. Stateless; safe for any thread. */
final class MergeOrderCodec {
    private MergeOrderCodec() {}

    /**
     * Reads an order.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    static MergeOrder fromProto(MergeRanges order) {
        return new MergeOrder(
                new RangeId(order.getLeftRangeId()),
                new Generation(order.getLeftGeneration()),
                new RangeId(order.getRightRangeId()),
                new Generation(order.getRightGeneration()));
    }

    static RefusedMerge refused(MergeRanges order, MergeOrder.Verdict verdict) {
        return RefusedMerge.newBuilder()
                .setLeftRangeId(order.getLeftRangeId())
                .setLeftGeneration(order.getLeftGeneration())
                .setRightRangeId(order.getRightRangeId())
                .setReason(reason(verdict))
                .build();
    }

    private static RefusedMerge.Reason reason(MergeOrder.Verdict verdict) {
        return switch (verdict) {
            case OTHER_GENERATION -> RefusedMerge.Reason.OTHER_GENERATION;
            case MEMBERS_CHANGING -> RefusedMerge.Reason.MEMBERS_CHANGING;
            case NOT_NEIGHBOURS -> RefusedMerge.Reason.NOT_NEIGHBOURS;
            case NOT_LEADING -> RefusedMerge.Reason.NOT_LEADING;
            case MEMBER_BEHIND -> RefusedMerge.Reason.MEMBER_BEHIND;
            case NOT_JOINED -> RefusedMerge.Reason.NOT_JOINED;
            case MERGE, DONE, THAW ->
                    throw new IllegalArgumentException(
                            "verdict: " + verdict + " (expected: a refusal)");
        };
    }
}

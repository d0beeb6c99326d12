package io.parterre.frontend.client;

import io.parterre.error.Blame;
import io.parterre.error.BusyReason;
import io.parterre.error.ErrorCode;
import io.parterre.frontend.route.RangeMap;
import io.parterre.frontend.route.Setback;
import io.parterre.frontend.route.Target;
import io.parterre.key.Key;
import io.parterre.proto.range.NotLeader;
import io.parterre.proto.range.RangeResponse;
import io.parterre.proto.range.StaleRange;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Learns about the map from an answer that refuses a request, so that the next request of any
 * caller is routed correctly.
 *
 * @param target where the request went
 */
record MapCorrections(ManagerWatch watch, Key key, Target target) {
    /**
     * Corrects the map and returns what the router has to know.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    Setback from(RangeResponse response) {
        return switch (response.getBodyCase()) {
            case NOT_LEADER -> notLeader(response.getNotLeader());
            case STALE_RANGE -> staleRange(response.getStaleRange());
            case BUSY ->
                    new Setback.Busy(
                            Duration.ofMillis(
                                    Integer.toUnsignedLong(
                                            response.getBusy().getRetryAfterMillis())),
                            BusyReason.ofText(response.getBusy().getReason()));
            case IN_DOUBT -> {
                forgetLeader();
                yield new Setback.InDoubt(target.node());
            }
            case NO_DATA -> new Setback.NoData(target.node());
            case SCOPE_FENCED -> new Setback.ScopeFenced();
            case FAILED -> new Setback.Failed(fault(response.getFailed().getCode()));
            case ROW, SCAN_PAGE, OUTCOME, BODY_NOT_SET ->
                    throw new IllegalArgumentException(
                            "answer: " + response.getBodyCase() + " (expected: a setback)");
        };
    }

    Setback fromSilence(boolean sent) {
        forgetLeader();
        return sent
                ? new Setback.ConnectionLost(target.node())
                : new Setback.NotSent(target.node());
    }

    private Setback notLeader(NotLeader answer) {
        Optional<NodeId> hint =
                answer.getLeaderHint().isEmpty()
                        ? Optional.empty()
                        : Optional.of(new NodeId(answer.getLeaderHint()));
        forgetLeader();
        hint.filter(node -> !node.equals(target.node()))
                .ifPresent(
                        node ->
                                watch.correct(
                                        map -> map.withLeader(target.range().rangeId(), node)));
        return new Setback.NotLeader(target.node(), hint);
    }

    private Setback staleRange(StaleRange answer) {
        List<RangeDescriptor> held =
                answer.getDescriptorsList().stream().map(DescriptorCodec::fromProto).toList();
        RangeDescriptor asked = target.range();
        watch.correct(map -> led(map.correctedBy(asked.rangeId(), asked.generation(), held), held));
        boolean learnt = !watch.view().map().find(key).equals(Optional.of(asked));
        return new Setback.StaleRange(target.node(), learnt);
    }

    /**
     * Assumes the answering node as the leader of ranges split from the range it leads: the leader
     * of a range at first leads its children too, and its answer arrives before other updates.
     */
    private RangeMap led(RangeMap corrected, List<RangeDescriptor> held) {
        RangeMap map = corrected;
        for (RangeDescriptor range : held) {
            boolean guess =
                    map.find(range.rangeId()).equals(Optional.of(range))
                            && map.leader(range.rangeId()).isEmpty()
                            && range.members().contains(target.node());
            map = guess ? map.withLeader(range.rangeId(), target.node()) : map;
        }
        return map;
    }

    private void forgetLeader() {
        watch.correct(map -> map.withoutLeader(target.range().rangeId(), target.node()));
    }

    /**
     * Returns the error code of a failed node. Codes of refusals are replaced, because a refusal
     * claims that nothing was written and a node that failed cannot claim this.
     */
    private static ErrorCode fault(String wireName) {
        return ErrorCode.ofWireName(wireName)
                .filter(
                        code ->
                                code.blame() == Blame.FAULT
                                        || code == ErrorCode.OPERATION_TIMED_OUT)
                .orElse(ErrorCode.INTERNAL_ERROR);
    }
}

package io.parterre.manager.rpc;

import com.google.protobuf.ByteString;
import io.parterre.key.Key;
import io.parterre.manager.lead.LeaderAnswer;
import io.parterre.manager.lead.Overview;
import io.parterre.manager.plan.explain.JournalFilter;
import io.parterre.manager.plan.request.RangeRecovery;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.proto.admin.ExplainNodeResponse;
import io.parterre.proto.admin.ExplainRangeResponse;
import io.parterre.proto.admin.ListJournalResponse;
import io.parterre.proto.admin.ListRangesResponse;
import io.parterre.proto.admin.RecoverRangeResponse;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.Optional;
import java.util.function.Supplier;

/** Answers operators' questions about one thing, or a page of many. Stateless and thread-safe. */
final class OperatorQueries {
    /** Upper bound of statuses in one answer; each has some hundred bytes. */
    private static final int RANGES_MAX = 1_000;

    /** Upper bound of journal entries in one answer; each has up to some thousand bytes. */
    private static final int ENTRIES_MAX = 500;

    private OperatorQueries() {}

    /**
     * Returns a page of ranges in key order.
     *
     * @param wanted upper bound, itself bounded; 0 for the largest page
     */
    static ListRangesResponse ranges(ClusterView view, Key start, int wanted) {
        int countMax = bounded(wanted, RANGES_MAX);
        ListRangesResponse.Builder page = ListRangesResponse.newBuilder();
        for (RangeDescriptor range : view.map().ranges().from(start)) {
            if (page.getRangesCount() == countMax) {
                page.setNextStart(ByteString.copyFrom(range.bounds().start().unsafeBytes()));
                break;
            }
            page.addRanges(StatusCodec.range(view, range));
        }
        return page.build();
    }

    private static int bounded(int wanted, int max) {
        return wanted <= 0 || wanted > max ? max : wanted;
    }

    /** Returns the newest entries; {@code wanted} as in {@link #ranges}. */
    static ListJournalResponse journal(Overview overview, JournalFilter filter, int wanted) {
        return PlanCodec.journal(overview.journal(filter, bounded(wanted, ENTRIES_MAX)));
    }

    static LeaderAnswer<ExplainRangeResponse> explanation(Overview overview, RangeId rangeId) {
        return given(
                overview.view()
                        .map()
                        .ranges()
                        .find(rangeId)
                        .map(range -> StatusCodec.explanation(overview, range)),
                () -> ReasonCode.RANGE_DOES_NOT_EXIST.of(rangeId));
    }

    static LeaderAnswer<ExplainNodeResponse> explanation(Overview overview, NodeId nodeId) {
        return given(
                overview.view()
                        .map()
                        .node(nodeId)
                        .map(node -> StatusCodec.explanation(overview, node)),
                () -> ReasonCode.NODE_DOES_NOT_EXIST.of(nodeId));
    }

    /** Returns the effects that a recovery would have. */
    static LeaderAnswer<RecoverRangeResponse> survey(
            ClusterView view, RangeId rangeId, Optional<NodeId> from) {
        return given(
                RangeRecovery.survey(view, rangeId, from)
                        .map(survey -> RecoveryCodec.toProto(view, survey)),
                () -> RangeRecovery.whyUnknown(view, rangeId));
    }

    private static <M> LeaderAnswer<M> given(Optional<M> found, Supplier<Reason> missing) {
        return found.<LeaderAnswer<M>>map(LeaderAnswer.Given::new)
                .orElseGet(() -> new LeaderAnswer.NotFound<>(missing.get()));
    }
}

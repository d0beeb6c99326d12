package io.parterre.manager.plan.progress;

import io.parterre.manager.map.Split;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.RangeDescriptor;
import java.time.Duration;
import java.util.Optional;

/**
 * How far a split has come, judged by the map and the reports alone: that is all a new leader has.
 * That it has taken effect is not among these: then the map learns of it from the range's leader,
 * and it is over. Stateless; safe for any thread.
 */
public sealed interface SplitProgress {
    /** So long the range's leader may take, or not be there, before a split is given up. */
    Duration GIVE_UP_AFTER = Duration.ofMinutes(1);

    /** The range's leader has to split it. */
    record Ordered() implements SplitProgress {}

    /** It will not be waited for any longer. */
    record Impossible(Reason why) implements SplitProgress {}

    /** The range's leader has to raise the generation, which refuses a split still under way. */
    record Abandoned(Reason why) implements SplitProgress {}

    /** The range has another generation and was not split: it cannot be by this split any more. */
    record Over() implements SplitProgress {}

    static SplitProgress of(ClusterView view, Split split) {
        RangeDescriptor range = view.map().ranges().find(split.rangeId()).orElseThrow();
        if (range.generation().compareTo(split.decidedAt()) > 0) {
            return new Over();
        }
        if (split.abandoned().isPresent()) {
            return new Abandoned(split.abandoned().get());
        }
        Optional<NodeReport.SplitRefusal> refusal =
                view.leader(split.rangeId())
                        .flatMap(view::report)
                        .flatMap(report -> report.refusalOf(split.childId()));
        if (refusal.isPresent()) {
            return new Impossible(ReasonCode.LEADER_REFUSED.of(refusal.get().why()));
        }
        return split.begun().plus(GIVE_UP_AFTER).isAfter(view.now())
                ? new Ordered()
                : new Impossible(ReasonCode.IS_LATE.of(GIVE_UP_AFTER.toSeconds()));
    }
}

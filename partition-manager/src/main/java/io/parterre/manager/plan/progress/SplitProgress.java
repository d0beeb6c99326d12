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
 * The progress of a split, judged by the map and the reports alone, because a new leader has
 * nothing else. There is no case for a split that has taken effect: the map learns of it from the
 * range's leader, and the split ends. Stateless and thread-safe.
 */
public sealed interface SplitProgress {
    /** Time after which a split is given up, whether the range's leader is slow or absent. */
    Duration GIVE_UP_AFTER = Duration.ofMinutes(1);

    /** The range's leader has to split the range. */
    record Ordered() implements SplitProgress {}

    /** The split has to be given up. */
    record Impossible(Reason why) implements SplitProgress {}

    /** The range's leader has to raise the generation, which refuses a late split. */
    record Abandoned(Reason why) implements SplitProgress {}

    /**
     * The range has another generation and was not split, so this split cannot take effect any
     * more.
     */
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

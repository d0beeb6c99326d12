package io.parterre.server.raft;

import io.parterre.crash.CrashHook;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.apply.Mutation;
import io.parterre.server.crash.CrashPoint;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the node what an entry has made of its range, once that is written: who has to act on it
 * does so on threads of their own. For the thread that applies.
 */
final class RangeNews {
    private static final Logger LOG = LoggerFactory.getLogger(RangeNews.class);

    private final RangeId rangeId;
    private final ChildStarter childStarter;
    private final AbsorbedCleanup absorbedCleanup;
    private final NeighbourWatch watch;
    private final Runnable onChange;
    private final CrashHook<CrashPoint> crash;

    /**
     * News of a range.
     *
     * @param childStarter starts the groups of children
     * @param absorbedCleanup removes what is left of absorbed ranges
     * @param watch has neighbours look that wait for the range
     * @param onChange told that the range is another one
     */
    RangeNews(
            RangeId rangeId,
            ChildStarter childStarter,
            AbsorbedCleanup absorbedCleanup,
            NeighbourWatch watch,
            Runnable onChange,
            CrashHook<CrashPoint> crash) {
        this.rangeId = rangeId;
        this.childStarter = childStarter;
        this.absorbedCleanup = absorbedCleanup;
        this.watch = watch;
        this.onChange = onChange;
        this.crash = crash;
    }

    /** Tells of changes, in the order in which they took effect. */
    void tell(List<Mutation> changes) {
        List<RangeId> children = new ArrayList<>();
        for (Mutation change : changes) {
            if (change instanceof Mutation.PutRange put) {
                changed(put.range());
            } else if (change instanceof Mutation.PutChild put) {
                RangeId childId = put.range().descriptor().rangeId();
                LOG.info("range split rangeId={} childRangeId={}", rangeId, childId);
                children.add(childId);
            } else if (change instanceof Mutation.TakeIn taken) {
                absorbed(taken.range().descriptor().rangeId());
            }
        }
        if (!children.isEmpty()) {
            childStarter.begin(children, rangeId);
        }
    }

    private void changed(HostedRange range) {
        LOG.info(
                "range changed rangeId={} generation={} members={}",
                rangeId,
                range.descriptor().generation(),
                range.descriptor().members());
        crash.reached(CrashPoint.MEMBERS_APPLIED);
        if (range.descriptor().isFrozen()) {
            crash.reached(CrashPoint.MERGE_FREEZE_APPLIED);
        }
        watch.changed(range.descriptor());
        onChange.run();
    }

    private void absorbed(RangeId rightId) {
        LOG.info("range absorbed rangeId={} rightRangeId={}", rangeId, rightId);
        crash.reached(CrashPoint.MERGE_ABSORB_APPLIED);
        absorbedCleanup.begin(rightId);
    }
}

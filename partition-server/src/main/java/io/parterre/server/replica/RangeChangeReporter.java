package io.parterre.server.replica;

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
 * Reports to the node how an entry has changed its range, once the change is written. Receivers act
 * on their own threads. Used by the thread that applies.
 */
public final class RangeChangeReporter {
    private static final Logger LOG = LoggerFactory.getLogger(RangeChangeReporter.class);

    private final RangeId rangeId;
    private final NodeActions node;
    private final NeighbourWatch watch;
    private final CrashHook<CrashPoint> crash;

    /**
     * Creates the reports of a range.
     *
     * @param watch notifies neighbours that wait for the range
     */
    public RangeChangeReporter(
            RangeId rangeId, NodeActions node, NeighbourWatch watch, CrashHook<CrashPoint> crash) {
        this.rangeId = rangeId;
        this.node = node;
        this.watch = watch;
        this.crash = crash;
    }

    /** Reports changes, in the order in which they took effect. */
    public void tell(List<Mutation> changes) {
        List<RangeId> children = new ArrayList<>();
        for (Mutation change : changes) {
            if (change instanceof Mutation.PutRange put) {
                changed(put.range());
            } else if (change instanceof Mutation.PutChild put) {
                RangeId childId = put.range().descriptor().rangeId();
                LOG.info("range split rangeId={} childRangeId={}", rangeId, childId);
                children.add(childId);
            } else if (change instanceof Mutation.AbsorbNeighbour taken) {
                absorbed(taken.range().descriptor().rangeId());
            }
        }
        if (!children.isEmpty()) {
            node.childrenCreated(rangeId, children);
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
        node.changed();
    }

    private void absorbed(RangeId rightId) {
        LOG.info("range absorbed rangeId={} rightRangeId={}", rangeId, rightId);
        crash.reached(CrashPoint.MERGE_ABSORB_APPLIED);
        node.removeAbsorbed(rightId);
    }
}

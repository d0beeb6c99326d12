package io.parterre.server;

import io.parterre.crash.CrashHook;
import io.parterre.range.RangeId;
import io.parterre.server.crash.CrashPoint;
import io.parterre.testing.SimulatedCrash;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.ratis.protocol.RaftGroupId;

/**
 * Has a node fail to apply entries of one range, as a release does that does not know what is in
 * them; and may end it as that is noted.
 */
final class UnappliableEntry implements CrashHook<CrashPoint> {
    private final String group;
    private final Optional<CrashPoint> crashAt;
    private final AtomicBoolean crashed = new AtomicBoolean();
    private volatile boolean armed;

    UnappliableEntry(RangeId rangeId) {
        this(rangeId, Optional.empty());
    }

    UnappliableEntry(RangeId rangeId, Optional<CrashPoint> crashAt) {
        this.group = RaftGroupId.valueOf(rangeId.groupId()).toString();
        this.crashAt = crashAt;
    }

    /** From now on: a replica stops at the first, so that is all it fails to apply. */
    void arm() {
        armed = true;
    }

    AtomicBoolean crashed() {
        return crashed;
    }

    @Override
    public void reached(CrashPoint point) {
        if (crashAt.filter(point::equals).isPresent()) {
            crashed.set(true);
        }
        if (crashed.get()) {
            throw new SimulatedCrash(crashAt);
        }
        boolean hit =
                armed
                        && point == CrashPoint.BEFORE_APPLY
                        // Of those that apply, each works for one group and is named after it.
                        && Thread.currentThread().getName().contains(group);
        if (hit) {
            throw new UnsupportedOperationException("command of a later release");
        }
    }
}

package io.parterre.raftlink;

import java.time.Duration;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;

/**
 * How long followers elect nobody else after they heard their leader. Immutable.
 *
 * @param own asked for by leaders of this node; zero: they do not read by leases
 * @param unstated of a leader that does not state it, or that was heard before this process
 *     started: the longest that a leader may have
 */
public record LeaseTimes(Duration own, Duration unstated) {
    /** No leader reads by a lease. */
    public static final LeaseTimes NONE = new LeaseTimes(Duration.ZERO, Duration.ZERO);

    public LeaseTimes {
        if (own.isNegative() || own.compareTo(unstated) > 0) {
            throw new IllegalArgumentException(
                    "lease: " + own + " (expected: PT0S.." + unstated + ")");
        }
    }

    /** The lease of the append's leader. */
    Duration of(AppendEntriesRequestProto append) {
        return unstated.isZero() ? Duration.ZERO : LeaseClaim.of(append).orElse(unstated);
    }
}

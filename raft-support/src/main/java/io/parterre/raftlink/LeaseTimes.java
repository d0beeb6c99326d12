package io.parterre.raftlink;

import java.time.Duration;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;

/**
 * The times for which followers elect nobody else after an append of their leader. Immutable.
 *
 * @param own lease of leaders on this node; zero: they do not read by leases
 * @param unstated assumed lease of a leader that states none, or whose append came before this
 *     process started; the longest lease that a leader may have
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

    /** Returns the lease of the append's leader. */
    Duration of(AppendEntriesRequestProto append) {
        return unstated.isZero() ? Duration.ZERO : LeaseClaim.of(append).orElse(unstated);
    }
}

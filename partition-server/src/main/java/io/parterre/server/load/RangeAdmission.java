package io.parterre.server.load;

import io.parterre.error.BusyReason;
import java.util.Optional;

/**
 * Decides which requests an overloaded range refuses. A range over its cap refuses the partitions
 * that cause the excess. If there is no such partition, it refuses scans before anything else, of
 * the accounts with most requests under way. All other requests are accepted until four times the
 * cap. Stateless; safe for any thread.
 */
public final class RangeAdmission {
    private RangeAdmission() {}

    /**
     * Returns the reason why a request is refused; empty: it is accepted.
     *
     * @param own fill of the range with requests of this kind
     * @param worst highest fill of any kind; a scan is judged by it
     * @param hot whether the request's partition has a great share of the range's operations
     * @param anyHot whether some partition has such a share
     * @param modest whether the request's account has fewer requests under way than the average
     * @param spent whether the partition has used up the quota of a partition
     */
    public static Optional<BusyReason> refusal(
            RequestKind kind,
            Fill own,
            Fill worst,
            boolean hot,
            boolean anyHot,
            boolean modest,
            boolean spent) {
        boolean isScan = kind == RequestKind.SCAN;
        Fill judged = isScan ? worst : own;
        if (spent || hot && judged != Fill.WITHIN) {
            return Optional.of(BusyReason.HOT_PARTITION);
        }
        boolean gives = isScan && judged != Fill.WITHIN && !anyHot && !modest;
        return gives || own == Fill.FULL ? Optional.of(BusyReason.RANGE_CAP) : Optional.empty();
    }
}

package io.parterre.server.load;

import io.parterre.error.BusyReason;
import java.util.Optional;

/**
 * Whom a range refuses that has too much to do: of a range over its cap the partitions that are
 * why, and where there is none, scans before anything else, of the accounts that have most under
 * way. All others go on until four times the cap. Stateless; safe for any thread.
 */
public final class RangeAdmission {
    private RangeAdmission() {}

    /**
     * Why a request is refused; empty: it is not.
     *
     * @param own how full the range is of this kind
     * @param worst of any kind; a scan is judged by that
     * @param hot whether the request's partition takes a great share of what is asked of the range
     * @param anyHot whether some partition does
     * @param modest whether the request's account has less under way than others have on average
     * @param spent whether the partition has used up what any partition may be asked for
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

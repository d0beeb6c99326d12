package io.parterre.quota;

import java.util.Optional;

/**
 * Quotas that one front end enforces. Immutable.
 *
 * @param account quota of each account
 * @param table quota of each table
 */
public record QuotaLimits(Limit account, Limit table) {
    public static final QuotaLimits NONE = new QuotaLimits(Limit.NONE, Limit.NONE);

    /** Returns whether there is no limit. */
    public boolean isNone() {
        return account.isNone() && table.isNone();
    }

    /**
     * Returns one front end's share of a rate of the whole cluster; empty: no limit.
     *
     * @param perSecond 0: no limit
     * @param burstSeconds the burst is this many seconds' worth
     * @param frontEnds number of front ends that share the rate evenly
     */
    public static Optional<Rate> share(long perSecond, double burstSeconds, int frontEnds) {
        return perSecond <= 0
                ? Optional.empty()
                : Optional.of(Rate.of((double) perSecond / Math.max(1, frontEnds), burstSeconds));
    }
}

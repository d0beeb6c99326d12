package io.parterre.quota;

import java.util.Optional;

/**
 * What one front end grants.
 *
 * @param account to each account
 * @param table for each table
 */
public record QuotaLimits(Limit account, Limit table) {
    public static final QuotaLimits NONE = new QuotaLimits(Limit.NONE, Limit.NONE);

    /** Whether nobody is limited. */
    public boolean isNone() {
        return account.isNone() && table.isNone();
    }

    /**
     * One front end's part of a figure for the whole cluster.
     *
     * @param perSecond 0: no bound
     * @param burstSeconds so much of it may be used at once
     * @param frontEnds among which it is shared out evenly
     */
    public static Optional<Rate> share(long perSecond, double burstSeconds, int frontEnds) {
        return perSecond <= 0
                ? Optional.empty()
                : Optional.of(Rate.of((double) perSecond / Math.max(1, frontEnds), burstSeconds));
    }
}

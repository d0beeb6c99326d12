package io.parterre.frontend.auth;

import java.time.Duration;

/**
 * How long a front end trusts accounts after a manager last vouched for them. While a front end is
 * cut off from all managers, it accepts a changed key or a suspended account for at most this time.
 * Immutable.
 *
 * @param ageMax age of the accounts at which calls are refused; zero: calls are never refused for
 *     it
 */
public record AccountsConfig(Duration ageMax) {
    private static final Duration AGE_MAX_MAX = Duration.ofDays(366);

    /** Covers the second between two confirmations and an election among the managers. */
    private static final Duration AGE_MAX_MIN = Duration.ofSeconds(2);

    /**
     * Longer than any expected outage of the managers, shorter than a leaked key may stay useful.
     */
    public static final AccountsConfig DEFAULT = new AccountsConfig(Duration.ofHours(24));

    /** For a front end whose accounts cannot change on another node. */
    public static final AccountsConfig WITHOUT_BOUND = new AccountsConfig(Duration.ZERO);

    public AccountsConfig {
        boolean bounded = !ageMax.isZero();
        if (bounded && (ageMax.compareTo(AGE_MAX_MIN) < 0 || ageMax.compareTo(AGE_MAX_MAX) > 0)) {
            throw new IllegalArgumentException(
                    "ageMax: " + ageMax + " (expected: 2s to 8784h, or 0s for no bound)");
        }
    }

    /** Returns how far accounts of this age are trusted. */
    public AccountsTrust trust(Duration age) {
        if (ageMax.isZero() || age.compareTo(ageMax.dividedBy(2)) < 0) {
            return AccountsTrust.CURRENT;
        }
        return age.compareTo(ageMax) < 0 ? AccountsTrust.AGING : AccountsTrust.EXPIRED;
    }
}

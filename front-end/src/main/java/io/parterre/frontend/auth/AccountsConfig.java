package io.parterre.frontend.auth;

import java.time.Duration;

/**
 * How long accounts are trusted that no manager has vouched for since. A key that was changed, or
 * an account that was suspended, while a front end is cut off from all managers is good there for
 * so long and no longer. Pure.
 *
 * @param ageMax age at which calls are refused; zero: never
 */
public record AccountsConfig(Duration ageMax) {
    private static final Duration AGE_MAX_MAX = Duration.ofDays(366);

    /** A second between two confirmations, and time for an election among the managers. */
    private static final Duration AGE_MAX_MIN = Duration.ofSeconds(2);

    /** Longer than managers should ever be gone; shorter than a leaked key may be of use. */
    public static final AccountsConfig DEFAULT = new AccountsConfig(Duration.ofHours(24));

    /** For a front end whose accounts cannot change elsewhere. */
    public static final AccountsConfig WITHOUT_BOUND = new AccountsConfig(Duration.ZERO);

    public AccountsConfig {
        boolean bounded = !ageMax.isZero();
        if (bounded && (ageMax.compareTo(AGE_MAX_MIN) < 0 || ageMax.compareTo(AGE_MAX_MAX) > 0)) {
            throw new IllegalArgumentException(
                    "ageMax: " + ageMax + " (expected: 2s to 8784h, or 0s for no bound)");
        }
    }

    /** How far accounts of this age are trusted. */
    public AccountsTrust trust(Duration age) {
        if (ageMax.isZero() || age.compareTo(ageMax.dividedBy(2)) < 0) {
            return AccountsTrust.CURRENT;
        }
        return age.compareTo(ageMax) < 0 ? AccountsTrust.AGING : AccountsTrust.EXPIRED;
    }
}

package io.parterre.frontend.auth;

/** How far a front end trusts the accounts that it knows. */
public enum AccountsTrust {
    /** A manager has vouched for the accounts recently. */
    CURRENT,
    /**
     * No manager has vouched for the accounts for half of the time after which they expire.
     * Operators are warned.
     */
    AGING,
    /** No manager has vouched for the accounts within the maximum age. Calls are refused. */
    EXPIRED
}

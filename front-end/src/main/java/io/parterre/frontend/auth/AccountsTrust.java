package io.parterre.frontend.auth;

/** How far a front end trusts the accounts that it knows. */
public enum AccountsTrust {
    /** A manager has vouched for them lately. */
    CURRENT,
    /** None has for half of the time after which they are not trusted; operators are warned. */
    AGING,
    /** None has for too long: calls are refused. */
    EXPIRED
}

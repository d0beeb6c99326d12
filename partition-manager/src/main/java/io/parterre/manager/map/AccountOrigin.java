package io.parterre.manager.map;

/** The origin of an account, which decides who may change it. */
public enum AccountOrigin {
    /** The account is, or once was, in the managers' configuration. */
    CONFIGURED,
    /** An operator made the account. No change of the configuration suspends it. */
    CREATED
}

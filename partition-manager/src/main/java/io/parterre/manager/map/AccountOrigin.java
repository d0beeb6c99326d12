package io.parterre.manager.map;

/** Where an account comes from, and so who may change it. */
public enum AccountOrigin {
    /** It stands, or once stood, in the managers' configuration. */
    CONFIGURED,
    /** An operator made it; no configuration takes it away. */
    CREATED
}

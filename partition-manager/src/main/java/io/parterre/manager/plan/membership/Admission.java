package io.parterre.manager.plan.membership;

/** What the manager that leads says to one that introduces itself. */
public enum Admission {
    /** It does not lead, or says nothing. */
    NONE,
    /** Nothing yet. */
    WAIT,
    /** Operators do not want it in the group. */
    NOT_WANTED,
    /** No configuration of the group counts on it: it may listen, without a vote. */
    LISTEN,
    /** It is a member. */
    IS_MEMBER,
    /** It takes itself for a member and is none: what it holds counts for nothing any more. */
    OUT
}

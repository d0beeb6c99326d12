package io.parterre.manager.plan.membership;

/** The leading manager's answer to a manager that introduces itself. */
public enum Admission {
    /** The answering manager does not lead, or has no answer. */
    NONE,
    /** The manager has to wait. */
    WAIT,
    /** Operators do not want the manager in the group. */
    NOT_WANTED,
    /**
     * No configuration of the group counts on the manager. It may receive the log, without a vote.
     */
    LISTEN,
    /** The manager is a member. */
    IS_MEMBER,
    /** The manager believes itself a member and is none. The content of its folder is obsolete. */
    OUT
}

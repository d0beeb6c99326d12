package io.parterre.manager.plan.membership;

/** The progress of a manager into a group. */
public enum ManagerPhase {
    /** The folder was empty. The manager votes nowhere. */
    NEW,
    /**
     * The manager votes in a group that is being bootstrapped. Nothing of this group is known to be
     * committed.
     */
    FOUNDING,
    /**
     * The manager receives the log from the leader of a group, and has no vote until it is a
     * member.
     */
    JOINING,
    /** The manager belongs to a group that has committed something. */
    MEMBER
}

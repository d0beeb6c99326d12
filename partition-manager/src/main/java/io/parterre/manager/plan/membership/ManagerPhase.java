package io.parterre.manager.plan.membership;

/** How far a manager has got into a group. */
public enum ManagerPhase {
    /** Its folder was empty; it votes nowhere. */
    NEW,
    /** Votes in a group that is being founded: nothing of it is known to be committed. */
    FOUNDING,
    /** Lets the leader of a group bring it the log; has no vote until it is a member. */
    JOINING,
    /** Belongs to a group that has committed something. */
    MEMBER
}

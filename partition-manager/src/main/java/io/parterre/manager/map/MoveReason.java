package io.parterre.manager.map;

/** Why a range's members are changed. */
public enum MoveReason {
    /** A member's node is dead, or has lost the replica. */
    REPAIR,
    /** The range has fewer members than it should have. */
    UNDER_REPLICATED,
    /** The range has more members than it should have. */
    OVER_REPLICATED,
    /** A member's node gives its replicas away. */
    DRAIN,
    /** Members stand in fewer zones than they could. */
    ZONES,
    /** One node holds more than others. */
    BALANCE,
    /** An operator asked for it. */
    OPERATOR,
    /** It is to be merged with its left neighbour, and gets that one's members for it. */
    MERGE
}

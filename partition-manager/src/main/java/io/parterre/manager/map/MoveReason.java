package io.parterre.manager.map;

/** Why a range's members are changed. */
public enum MoveReason {
    /** A member's node is dead, or has lost the replica. */
    REPAIR,
    /** The range has fewer members than it should have. */
    UNDER_REPLICATED,
    /** The range has more members than it should have. */
    OVER_REPLICATED,
    /** A member's node has to hand over its replicas. */
    DRAIN,
    /** The members are in fewer zones than possible. */
    ZONES,
    /** One node holds more replicas than others. */
    BALANCE,
    /** An operator asked for it. */
    OPERATOR,
    /** The range is to be merged with its left neighbour, and gets that range's members first. */
    MERGE
}

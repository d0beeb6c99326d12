package io.parterre.manager.map;

import java.util.EnumSet;
import java.util.Set;

/** The state that operators want of a node, independent of its liveness. */
public enum NodeState {
    /** Holds and leads ranges. */
    ACTIVE,
    /** Leads nothing, keeps what it holds and gets nothing new. */
    LEADERSHIP_DRAINED,
    /** Hands over its leaderships, then its replicas. */
    DRAINING,
    /** Drains, and is removed once it holds nothing. */
    DECOMMISSIONING,
    /**
     * Removed from the cluster. Its id may return only with a new data folder, as a node without
     * replicas.
     */
    REMOVED;

    /** Returns the name for operators. */
    public String word() {
        return switch (this) {
            case ACTIVE -> "in use";
            case LEADERSHIP_DRAINED -> "leadership drained";
            case DRAINING -> "draining";
            case DECOMMISSIONING -> "decommissioning";
            case REMOVED -> "removed";
        };
    }

    /** Returns whether a command may change this state to the other. */
    public boolean mayBecome(NodeState next) {
        return followers().contains(next);
    }

    private Set<NodeState> followers() {
        return switch (this) {
            case ACTIVE -> EnumSet.of(LEADERSHIP_DRAINED, DRAINING, DECOMMISSIONING);
            case LEADERSHIP_DRAINED -> EnumSet.of(ACTIVE, DRAINING, DECOMMISSIONING);
            case DRAINING -> EnumSet.of(ACTIVE, LEADERSHIP_DRAINED, DECOMMISSIONING);
            case DECOMMISSIONING -> EnumSet.of(ACTIVE, LEADERSHIP_DRAINED, DRAINING, REMOVED);
            case REMOVED -> EnumSet.noneOf(NodeState.class);
        };
    }

    /** Returns whether new replicas and leaderships may come to the node. */
    public boolean takesMore() {
        return this == ACTIVE;
    }

    /** Returns whether the node's replicas have to move elsewhere. */
    public boolean givesReplicas() {
        return this == DRAINING || this == DECOMMISSIONING || this == REMOVED;
    }
}

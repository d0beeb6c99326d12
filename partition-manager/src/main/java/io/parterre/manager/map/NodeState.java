package io.parterre.manager.map;

import java.util.EnumSet;
import java.util.Set;

/** What operators want of a node. Whether it is alive is another matter. */
public enum NodeState {
    /** Holds and leads ranges. */
    ACTIVE,
    /** Leads nothing, keeps what it holds and gets nothing new. */
    LEADERSHIP_DRAINED,
    /** Gives away its leaderships, then its replicas. */
    DRAINING,
    /** Drains, and leaves the cluster once it holds nothing. */
    DECOMMISSIONING,
    /** Has left; its name returns with a new data folder only, as a node without replicas. */
    REMOVED;

    /** For operators. */
    public String word() {
        return switch (this) {
            case ACTIVE -> "in use";
            case LEADERSHIP_DRAINED -> "leadership drained";
            case DRAINING -> "draining";
            case DECOMMISSIONING -> "decommissioning";
            case REMOVED -> "removed";
        };
    }

    /** Whether the state may follow this one by a command. */
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

    /** Whether new replicas and leads may come to the node. */
    public boolean takesMore() {
        return this == ACTIVE;
    }

    /** Whether the node's replicas have to go elsewhere. */
    public boolean givesReplicas() {
        return this == DRAINING || this == DECOMMISSIONING || this == REMOVED;
    }
}

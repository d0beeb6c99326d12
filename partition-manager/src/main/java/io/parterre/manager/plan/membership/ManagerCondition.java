package io.parterre.manager.plan.membership;

import io.parterre.range.NodeId;
import java.util.Optional;

/** A manager's membership in the group, for operators. */
public enum ManagerCondition {
    /** The manager is a member, as intended. */
    IN_GROUP,
    /**
     * The manager is to become a member, and has not introduced itself with an empty folder yet.
     */
    EXPECTED,
    /** The manager is being added. */
    ENTERING,
    /** The manager is to be removed. */
    LEAVING,
    /** A member that came with an empty folder. It is removed and added again. */
    FORGETFUL;

    /** Judges a manager that is a member or is to become one. */
    public static ManagerCondition of(ManagersView view, NodeId nodeId) {
        boolean member = view.member(nodeId).isPresent();
        if (view.wanted().generation() > 0 && view.wanted().find(nodeId).isEmpty()) {
            return LEAVING;
        }
        boolean empty =
                Optional.ofNullable(view.introduced().get(nodeId))
                        .filter(said -> said.phase() == ManagerPhase.NEW)
                        .isPresent();
        boolean entering =
                Optional.ofNullable(view.introduced().get(nodeId))
                        .filter(said -> said.phase() == ManagerPhase.JOINING)
                        .isPresent();
        if (member) {
            return empty ? FORGETFUL : IN_GROUP;
        }
        return empty || entering ? ENTERING : EXPECTED;
    }
}

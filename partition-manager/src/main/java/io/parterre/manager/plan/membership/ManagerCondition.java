package io.parterre.manager.plan.membership;

import io.parterre.range.NodeId;
import java.util.Optional;

/** How a manager stands with the group, for operators. */
public enum ManagerCondition {
    /** It is a member, as it shall be. */
    IN_GROUP,
    /** It shall be a member, and has not come with an empty folder yet. */
    EXPECTED,
    /** It is being taken in. */
    ENTERING,
    /** It shall be no member any more. */
    LEAVING,
    /** A member that came with an empty folder: it is taken out and in again. */
    FORGETFUL;

    /** Judges one that is a member or shall be. */
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

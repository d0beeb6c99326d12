package io.parterre.server.lifecycle;

/**
 * A replica's whole state at a moment, and what follows from it. Immutable.
 *
 * @param phase what its rows are; persisted
 * @param group its membership in its Raft group
 * @param hasGroup whether the group has been added to the Raft server and not left
 * @param groupAlive whether that group has not ended by itself
 * @param standing whether it can be trusted
 * @param fence whether another range may have taken the place of its own
 */
public record ReplicaLifecycle(
        ReplicaPhase phase,
        GroupLife group,
        boolean hasGroup,
        boolean groupAlive,
        Standing standing,
        Fence fence) {
    /** What has to be done for a replica that does not take part as it should. */
    public enum Upkeep {
        NOTHING,
        /** Its removal was cut short: its rows and its log go. */
        FINISH_REMOVAL,
        /** Its group takes no note of new rows: it leaves the group and joins again. */
        RESTART_GROUP,
        /** It has no group, or its group has removed it: it joins. */
        JOIN
    }

    /** Whether a replica in these states may answer for its range. */
    public static boolean mayServe(Fence fence, GroupLife group) {
        return fence == Fence.OPEN && !group.hasStopped();
    }

    /** Whether its removal has begun and is not under way in its group any more. */
    public boolean isRemoving() {
        return !hasGroup && phase == ReplicaPhase.REMOVING;
    }

    /**
     * Whether joining its group would bring it on: it has none that lives, and may have one. Rows
     * that a copy has replaced in part wait for the next start.
     */
    public boolean mayJoin() {
        return !(hasGroup && groupAlive)
                && standing == Standing.SOUND
                && phase != ReplicaPhase.INSTALLING;
    }

    /**
     * What to do next.
     *
     * @param reloadOverdue whether Ratis should have taken note of new rows and has not
     * @param removedOverdue whether the group ended since it was told that it is no member, and no
     *     removal was ordered in time
     */
    public Upkeep upkeep(boolean reloadOverdue, boolean removedOverdue) {
        if (isRemoving()) {
            return Upkeep.FINISH_REMOVAL;
        }
        if (standing == Standing.QUARANTINED) {
            return Upkeep.NOTHING;
        }
        if (reloadOverdue) {
            return Upkeep.RESTART_GROUP;
        }
        // Ratis 3.3.0 forgets the members for a moment while a copy is installed, and a member that
        // stands for election just then leaves the group. One that is none will hear so again.
        return !hasGroup || removedOverdue ? Upkeep.JOIN : Upkeep.NOTHING;
    }
}

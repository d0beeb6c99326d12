package io.parterre.server.lifecycle;

/**
 * The whole state of a replica at a moment, and what follows from it. Immutable.
 *
 * @param phase what the rows are; persisted
 * @param group membership in the replica's Raft group
 * @param hasGroup whether the group has been added to the Raft server and not left
 * @param groupAlive whether that group has not ended by itself
 * @param standing whether the replica can be trusted
 * @param fence whether the replica may serve, although another range may have taken its range's
 *     place
 */
public record ReplicaLifecycle(
        ReplicaPhase phase,
        GroupLife group,
        boolean hasGroup,
        boolean groupAlive,
        Standing standing,
        Fence fence) {
    /** What has to be done for a replica that does not work as it should. */
    public enum Upkeep {
        NOTHING,
        /** The replica's removal was interrupted: delete its rows and its log. */
        FINISH_REMOVAL,
        /** The replica's group does not take note of new rows: leave the group and join again. */
        RESTART_GROUP,
        /** The replica has no group, or its group has removed it: join. */
        JOIN
    }

    /** Whether a replica in these states may answer for its range. */
    public static boolean mayServe(Fence fence, GroupLife group) {
        return fence == Fence.OPEN && !group.hasStopped();
    }

    /** Whether the replica's removal has begun and it has left its group. */
    public boolean isRemoving() {
        return !hasGroup && phase == ReplicaPhase.REMOVING;
    }

    /**
     * Whether joining its group would help the replica: it has no group that is alive and is
     * allowed to have one. Rows that a copy has replaced in part wait for the next start.
     */
    public boolean mayJoin() {
        return !(hasGroup && groupAlive)
                && standing == Standing.SOUND
                && phase != ReplicaPhase.INSTALLING;
    }

    /**
     * Decides what to do next.
     *
     * @param reloadOverdue whether Ratis should have taken note of new rows and has not
     * @param removedOverdue whether the group has ended because it was told that it is no member,
     *     and no removal was ordered in time
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
        // Ratis 3.3.0 forgets the members for a moment while a copy is installed. A member that
        // stands for election in that moment leaves the group. A replica that really is no member
        // will be told so again.
        return !hasGroup || removedOverdue ? Upkeep.JOIN : Upkeep.NOTHING;
    }
}

package io.parterre.manager.plan.membership;

import io.parterre.manager.map.ClusterManager;
import io.parterre.range.NodeId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What a manager has to remember beside its log to know whether it may vote. Durable before the
 * phase begins. Immutable.
 *
 * @param incarnation random, made with the data folder
 * @param groupId the Raft group that it belongs to or joins; empty while it is new
 * @param founders the group's founders with their data folders at the bootstrap; empty if this
 *     manager was not among them
 * @param members the group's members as last applied here
 */
public record ManagerStanding(
        String incarnation,
        ManagerPhase phase,
        Optional<UUID> groupId,
        List<ClusterManager> founders,
        List<ClusterManager> members) {
    public ManagerStanding {
        founders = List.copyOf(founders);
        members = List.copyOf(members);
        if (groupId.isPresent() == (phase == ManagerPhase.NEW)) {
            throw new IllegalArgumentException(
                    "group: " + groupId + " (expected: one, unless the manager is new) " + phase);
        }
    }

    /** Returns the standing of an empty folder. */
    public static ManagerStanding fresh(String incarnation) {
        return new ManagerStanding(
                incarnation, ManagerPhase.NEW, Optional.empty(), List.of(), List.of());
    }

    public ManagerStanding founding(UUID group, List<ClusterManager> with) {
        return new ManagerStanding(
                incarnation, ManagerPhase.FOUNDING, Optional.of(group), with, List.of());
    }

    public ManagerStanding joining(UUID group) {
        return new ManagerStanding(
                incarnation, ManagerPhase.JOINING, Optional.of(group), List.of(), List.of());
    }

    public ManagerStanding member() {
        return new ManagerStanding(incarnation, ManagerPhase.MEMBER, groupId, founders, members);
    }

    /**
     * Returns the standing with other members. A group whose members are applied is bootstrapped,
     * so FOUNDING becomes MEMBER.
     */
    public ManagerStanding withMembers(List<ClusterManager> now) {
        return new ManagerStanding(
                incarnation,
                phase == ManagerPhase.FOUNDING ? ManagerPhase.MEMBER : phase,
                groupId,
                founders,
                now);
    }

    /** Returns whether the bootstrap of the group counted on this very folder. */
    public static boolean counts(List<ClusterManager> founders, NodeId nodeId, String incarnation) {
        return !incarnation.isEmpty()
                && founders.stream()
                        .anyMatch(
                                each ->
                                        each.nodeId().equals(nodeId)
                                                && each.incarnation().equals(incarnation));
    }
}

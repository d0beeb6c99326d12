package io.parterre.manager.plan.membership;

import io.parterre.manager.map.ClusterManager;
import io.parterre.manager.map.Managers;
import io.parterre.range.NodeId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * The managers' group as its leader sees it. Immutable.
 *
 * @param self the leader
 * @param groupId of the group
 * @param members of the configuration in effect, by the data folders of their membership
 * @param stable whether that configuration is committed and no change of it is in progress
 * @param strays whether this leader still sends to a removed peer, as a leader does that was
 *     elected in the middle of the removal. The manager at that peer's address would take the
 *     messages for its own
 * @param wanted the wanted managers
 * @param introduced managers that have introduced themselves lately, by id
 * @param healthy members that answer the leader, the leader included
 */
public record ManagersView(
        NodeId self,
        UUID groupId,
        List<ClusterManager> members,
        boolean stable,
        boolean strays,
        Managers wanted,
        Map<NodeId, Introduced> introduced,
        Set<NodeId> healthy) {
    public ManagersView {
        members = List.copyOf(members);
        introduced = Map.copyOf(introduced);
        healthy = Set.copyOf(healthy);
    }

    /** How a manager introduces itself. */
    public record Introduced(ClusterManager manager, ManagerPhase phase, Optional<UUID> groupId) {}

    public Optional<ClusterManager> member(NodeId nodeId) {
        return members.stream().filter(each -> each.nodeId().equals(nodeId)).findFirst();
    }

    /** Returns the members without this one. */
    public List<ClusterManager> without(NodeId nodeId) {
        return members.stream().filter(each -> !each.nodeId().equals(nodeId)).toList();
    }

    public long healthyAmong(Collection<ClusterManager> some) {
        return some.stream().filter(each -> healthy.contains(each.nodeId())).count();
    }

    /** Returns the wanted managers that are no members, or are members under other addresses. */
    public List<ClusterManager> missing() {
        return wanted.all().stream()
                .filter(each -> member(each.nodeId()).filter(each::hasAddressesOf).isEmpty())
                .toList();
    }

    /** Returns the ids of members and wanted managers that the leader has not heard lately. */
    public Set<NodeId> silent() {
        Set<NodeId> silent = all();
        silent.removeAll(healthy);
        silent.removeAll(introduced.keySet());
        return silent;
    }

    /** Returns the ids of all members and wanted managers. */
    public Set<NodeId> all() {
        Set<NodeId> all = new TreeSet<>();
        members.forEach(each -> all.add(each.nodeId()));
        wanted.all().forEach(each -> all.add(each.nodeId()));
        return all;
    }

    /** Returns the members that are not wanted. */
    public List<ClusterManager> surplus() {
        return members.stream().filter(each -> wanted.find(each.nodeId()).isEmpty()).toList();
    }
}

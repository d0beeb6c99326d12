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
 * The managers' group as its leader sees it.
 *
 * @param self the leader
 * @param groupId of the group
 * @param members of the configuration in effect, by the data folders with which they are members
 * @param stable whether that is committed and no change of it is under way
 * @param strays whether this leader still sends to a peer that it took out, as one does that came
 *     to lead in the middle of that: the manager at that peer's address would take it for its own
 * @param wanted the managers that there shall be
 * @param introduced managers that have lately said how they stand, by id
 * @param healthy members that answer the leader, itself among them
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

    /** What a manager has said of itself. */
    public record Introduced(ClusterManager manager, ManagerPhase phase, Optional<UUID> groupId) {}

    public Optional<ClusterManager> member(NodeId nodeId) {
        return members.stream().filter(each -> each.nodeId().equals(nodeId)).findFirst();
    }

    /** Members without this one. */
    public List<ClusterManager> without(NodeId nodeId) {
        return members.stream().filter(each -> !each.nodeId().equals(nodeId)).toList();
    }

    public long healthyAmong(Collection<ClusterManager> some) {
        return some.stream().filter(each -> healthy.contains(each.nodeId())).count();
    }

    /** Those that shall be members and are none, or are with other addresses. */
    public List<ClusterManager> missing() {
        return wanted.all().stream()
                .filter(each -> member(each.nodeId()).filter(each::hasAddressesOf).isEmpty())
                .toList();
    }

    /** Members, and those that shall be, of which the leader has heard nothing lately; by id. */
    public Set<NodeId> silent() {
        Set<NodeId> silent = all();
        silent.removeAll(healthy);
        silent.removeAll(introduced.keySet());
        return silent;
    }

    /** Members and those that shall be, by id. */
    public Set<NodeId> all() {
        Set<NodeId> all = new TreeSet<>();
        members.forEach(each -> all.add(each.nodeId()));
        wanted.all().forEach(each -> all.add(each.nodeId()));
        return all;
    }

    /** Members that shall be none. */
    public List<ClusterManager> surplus() {
        return members.stream().filter(each -> wanted.find(each.nodeId()).isEmpty()).toList();
    }
}

package io.parterre.manager.map;

import io.parterre.range.NodeId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The wanted set of partition managers, which their Raft group follows. Immutable.
 *
 * @param generation grows by one with each change of the set; 0 if none was set yet
 * @param all by id; without incarnations of their data folders
 */
public record Managers(long generation, List<ClusterManager> all) {
    static final Managers UNKNOWN = new Managers(0, List.of());

    public Managers {
        all = all.stream().sorted(Comparator.comparing(ClusterManager::nodeId)).toList();
        if (all.stream().map(ClusterManager::nodeId).distinct().count() != all.size()) {
            throw new IllegalArgumentException("managers: an id twice (expected: each once)");
        }
    }

    public Optional<ClusterManager> find(NodeId nodeId) {
        return all.stream().filter(each -> each.nodeId().equals(nodeId)).findFirst();
    }

    /** Returns the managers' service addresses. */
    public List<String> serviceAddresses() {
        return all.stream().map(ClusterManager::serviceAddress).toList();
    }

    Managers next(List<ClusterManager> others) {
        return new Managers(generation + 1, others);
    }
}

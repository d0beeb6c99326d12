package io.parterre.manager.map;

import io.parterre.range.NodeId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The partition managers that there shall be; their Raft group follows. Immutable.
 *
 * @param generation grows by one with each change of the set; 0: nothing was said yet
 * @param all by id; of their data folders it says nothing
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

    /** Their service addresses, for those who ask managers. */
    public List<String> serviceAddresses() {
        return all.stream().map(ClusterManager::serviceAddress).toList();
    }

    Managers next(List<ClusterManager> others) {
        return new Managers(generation + 1, others);
    }
}

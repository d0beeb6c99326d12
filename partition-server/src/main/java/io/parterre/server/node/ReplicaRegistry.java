package io.parterre.server.node;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.raft.Replica;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The replicas of a node, by range. Safe for any thread; a thread that adds or removes one holds
 * the node's lock, see {@link ReplicaNode}.
 */
public final class ReplicaRegistry {
    /**
     * Number of ranges reported after the requested one, which may have been split more than once.
     */
    private static final int FOLLOWING_TOLD = ReplicaCommand.Split.SPLIT_POINT_MAX;

    private final Map<RangeId, Replica> live = new ConcurrentHashMap<>();
    private final Map<RangeId, Replica> absorbed = new ConcurrentHashMap<>();

    /** Replicas that are members of their groups, or will be. */
    Map<RangeId, Replica> live() {
        return live;
    }

    /** Replicas of ranges that no longer exist, until they are removed. */
    Map<RangeId, Replica> absorbed() {
        return absorbed;
    }

    public Optional<Replica> find(RangeId rangeId) {
        return Optional.ofNullable(live.get(rangeId));
    }

    /** All replicas, by range id. */
    public List<Replica> all() {
        return List.copyOf(new TreeMap<>(live).values());
    }

    /** Returns descriptors of the replicas whose keys overlap the interval. */
    public List<RangeDescriptor> overlapping(KeyRange keys) {
        return all().stream()
                .map(Replica::descriptor)
                .filter(descriptor -> descriptor.bounds().overlaps(keys))
                .toList();
    }

    /**
     * Returns descriptors for a caller that asked for keys of a range and was wrong: the range, the
     * ranges that follow it here, which may have been split from it, and the ranges that have the
     * keys.
     */
    public List<RangeDescriptor> descriptorsForRedirect(RangeId asked, KeyRange keys) {
        Set<RangeDescriptor> told = new LinkedHashSet<>();
        Optional<RangeDescriptor> next = find(asked).map(Replica::descriptor);
        for (int i = 0; next.isPresent() && i <= FOLLOWING_TOLD; i++) {
            told.add(next.get());
            Key end = next.get().bounds().endExclusive();
            next =
                    live.values().stream()
                            .map(Replica::descriptor)
                            .filter(each -> each.bounds().start().equals(end))
                            .findFirst();
        }
        told.addAll(overlapping(keys));
        return List.copyOf(told);
    }

    /** Bounds of all replicas but the range's. */
    List<KeyRange> others(RangeId rangeId) {
        return live.values().stream()
                .map(Replica::descriptor)
                .filter(each -> !each.rangeId().equals(rangeId))
                .map(RangeDescriptor::bounds)
                .toList();
    }

    /** Looks up the position of the store's last flush for each replica. */
    public void refreshDurable() {
        live.values().forEach(replica -> replica.rows().refreshDurable());
    }
}

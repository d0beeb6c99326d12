package io.parterre.manager.rpc;

import io.parterre.manager.lead.LeaderHints.Hint;
import io.parterre.manager.map.ClusterAccount;
import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapDelta;
import io.parterre.manager.map.MapValueCodec;
import io.parterre.proto.manager.LeaderHint;
import io.parterre.proto.manager.MapUpdate;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The map and its changes as messages. Keeps the last whole map, since after a failover every front
 * end asks for the same one at once. Owned by the loop's thread.
 */
final class MapUpdates {
    private Optional<ClusterMap> lastWhole = Optional.empty();
    private MapUpdate lastWholeMessage = MapUpdate.getDefaultInstance();

    @SuppressWarnings("ReferenceEquality") // a map never changes, and comparing two is dear
    MapUpdate whole(ClusterMap map, List<Hint> hints) {
        if (lastWhole.isEmpty() || lastWhole.get() != map) {
            lastWholeMessage = encode(map);
            lastWhole = Optional.of(map);
        }
        return lastWholeMessage.toBuilder().addAllLeaders(leaders(hints)).build();
    }

    private static MapUpdate encode(ClusterMap map) {
        MapUpdate.Builder update =
                MapUpdate.newBuilder()
                        .setVersion(map.version())
                        .setWhole(true)
                        .setClusterId(map.clusterId().map(ClusterId::value).orElse(""));
        for (RangeDescriptor range : map.ranges().inKeyOrder()) {
            update.addRanges(DescriptorCodec.toProto(range));
        }
        for (ClusterNode node : map.nodes()) {
            update.addNodes(MapValueCodec.toProto(node));
        }
        for (ClusterAccount account : map.accounts()) {
            update.addAccounts(MapValueCodec.toProto(account));
        }
        return update.build();
    }

    /** Several changes as one: of what changed twice, the watcher sees the end only. */
    MapUpdate changes(
            long version, Optional<ClusterId> clusterId, List<MapDelta> deltas, List<Hint> hints) {
        Map<RangeId, RangeDescriptor> ranges = new LinkedHashMap<>();
        Set<RangeId> removed = new LinkedHashSet<>();
        Map<NodeId, ClusterNode> nodes = new LinkedHashMap<>();
        Map<String, ClusterAccount> accounts = new LinkedHashMap<>();
        for (MapDelta delta : deltas) {
            for (RangeId gone : delta.removedRanges()) {
                ranges.remove(gone);
                removed.add(gone);
            }
            // An id may be in both lists of a delta: then the range changed.
            for (RangeDescriptor range : delta.ranges()) {
                removed.remove(range.rangeId());
                ranges.put(range.rangeId(), range);
            }
            delta.nodes().forEach(node -> nodes.put(node.nodeId(), node));
            delta.accounts().forEach(account -> accounts.put(account.name().value(), account));
        }
        MapUpdate.Builder update =
                MapUpdate.newBuilder()
                        .setVersion(version)
                        .setClusterId(clusterId.map(ClusterId::value).orElse(""))
                        .addAllLeaders(leaders(hints));
        ranges.values().forEach(range -> update.addRanges(DescriptorCodec.toProto(range)));
        removed.forEach(gone -> update.addRemovedRanges(gone.value()));
        nodes.values().forEach(node -> update.addNodes(MapValueCodec.toProto(node)));
        accounts.values().forEach(account -> update.addAccounts(MapValueCodec.toProto(account)));
        return update.build();
    }

    private static List<LeaderHint> leaders(List<Hint> hints) {
        return hints.stream()
                .map(
                        hint ->
                                LeaderHint.newBuilder()
                                        .setRangeId(hint.rangeId().value())
                                        .setNodeId(hint.nodeId().value())
                                        .build())
                .toList();
    }
}

package io.parterre.manager.rpc;

import io.parterre.manager.lead.LeaderHints.Hint;
import io.parterre.manager.lead.QuotaShares;
import io.parterre.manager.map.ClusterAccount;
import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapDelta;
import io.parterre.manager.map.MapValueCodec;
import io.parterre.manager.plan.policy.QuotaPolicy;
import io.parterre.manager.secret.KeyRing;
import io.parterre.proto.manager.LeaderHint;
import io.parterre.proto.manager.MapUpdate;
import io.parterre.proto.manager.Quotas;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Converts the map and its changes to messages, in parts that any receiver takes. Keeps the
 * messages of the last whole map, because after a failover every front end asks for the same one at
 * once. Confined to the loop's thread.
 */
public final class MapUpdates {
    private final KeyRing keys;
    private Optional<ClusterMap> lastWhole = Optional.empty();
    private List<MapUpdate> lastWholeParts = List.of();

    /**
     * Creates a converter.
     *
     * @param keys decrypts accounts' keys, which front ends get in clear
     */
    public MapUpdates(KeyRing keys) {
        this.keys = keys;
    }

    @SuppressWarnings("ReferenceEquality") // a map never changes, and comparing two is dear
    List<MapUpdate> whole(ClusterMap map, List<Hint> hints, QuotaShares shares) {
        if (lastWhole.isEmpty() || lastWhole.get() != map) {
            lastWholeParts = encode(map);
            lastWhole = Optional.of(map);
        }
        int last = lastWholeParts.size() - 1;
        List<MapUpdate> updates = new ArrayList<>(lastWholeParts.subList(0, last));
        MapUpdateParts rest =
                new MapUpdateParts(told(lastWholeParts.get(last).toBuilder(), shares), base(map));
        hints.forEach(hint -> rest.add(leader(hint)));
        updates.addAll(rest.build());
        return updates;
    }

    private static MapUpdate base(ClusterMap map) {
        return MapUpdate.newBuilder()
                .setVersion(map.version())
                .setClusterId(map.clusterId().map(ClusterId::value).orElse(""))
                .build();
    }

    /**
     * Only the first part contains managers and level, because the receiver applies all parts as
     * one update.
     */
    private static MapUpdate.Builder first(MapUpdate base, ClusterMap map) {
        return base.toBuilder()
                .addAllManagers(map.managers().serviceAddresses())
                .setFeatureLevel(map.featureLevel().value());
    }

    /** Returns the parts of the whole map, of which only the last does not say that more follow. */
    private List<MapUpdate> encode(ClusterMap map) {
        MapUpdateParts parts = new MapUpdateParts(first(base(map), map).setWhole(true), base(map));
        for (RangeDescriptor range : map.ranges().inKeyOrder()) {
            parts.add(DescriptorCodec.toProto(range));
        }
        for (ClusterNode node : map.nodes()) {
            parts.add(MapValueCodec.toProto(node));
        }
        for (ClusterAccount account : map.accounts()) {
            parts.add(MapValueCodec.toProto(keys.decrypted(account)));
        }
        return parts.build();
    }

    /**
     * Returns several changes as one update. Of a value that changed twice, it contains only the
     * last state.
     *
     * @param map the current map, at this version or a later one
     */
    public List<MapUpdate> changes(
            ClusterMap map,
            long version,
            List<MapDelta> deltas,
            List<Hint> hints,
            QuotaShares shares) {
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
        MapUpdate base = base(map).toBuilder().setVersion(version).build();
        MapUpdateParts parts = new MapUpdateParts(told(first(base, map), shares), base);
        removed.forEach(parts::addRemoved);
        ranges.values().forEach(range -> parts.add(DescriptorCodec.toProto(range)));
        nodes.values().forEach(node -> parts.add(MapValueCodec.toProto(node)));
        accounts.values()
                .forEach(account -> parts.add(MapValueCodec.toProto(keys.decrypted(account))));
        hints.forEach(hint -> parts.add(leader(hint)));
        return parts.build();
    }

    /** Adds the shares to one part only, because the receiver applies all parts as one update. */
    private static MapUpdate.Builder told(MapUpdate.Builder part, QuotaShares shares) {
        QuotaPolicy quotas = shares.quotas();
        return part.setFrontEnds(shares.frontEnds())
                .setQuotas(
                        Quotas.newBuilder()
                                .setAccountRequestsPerSecond(quotas.accountRequestsPerSecond())
                                .setAccountEntitiesPerSecond(quotas.accountEntitiesPerSecond())
                                .setTableRequestsPerSecond(quotas.tableRequestsPerSecond())
                                .setTableEntitiesPerSecond(quotas.tableEntitiesPerSecond())
                                .setBurstMillis((int) quotas.burst().toMillis()));
    }

    private static LeaderHint leader(Hint hint) {
        return LeaderHint.newBuilder()
                .setRangeId(hint.rangeId().value())
                .setNodeId(hint.nodeId().value())
                .build();
    }
}

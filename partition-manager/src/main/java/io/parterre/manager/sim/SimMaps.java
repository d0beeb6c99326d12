package io.parterre.manager.sim;

import com.google.protobuf.MessageLite;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterMapCodec;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapValueCodec;
import io.parterre.proto.manager.log.SnapshotHeader;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.release.FeatureLevel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Maps with as many ranges as one wants, all of which have served. Stateless. */
public final class SimMaps {
    private SimMaps() {}

    public static NodeId id(int n) {
        return new NodeId("n" + n);
    }

    public static ClusterNode node(NodeId nodeId, String zone) {
        return new ClusterNode(nodeId, nodeId + ":1", nodeId + ":2", zone, "");
    }

    /** Nodes n1, n2, ... in zones z0, z1, ..., turn by turn. */
    static List<ClusterNode> nodes(int count, int zones) {
        List<ClusterNode> nodes = new ArrayList<>();
        for (int n = 1; n <= count; n++) {
            nodes.add(node(id(n), zone(n, zones)));
        }
        return nodes;
    }

    static String zone(int n, int zones) {
        return "z" + n % zones;
    }

    /**
     * As many members as asked for, evenly: neighbours in the order of nodes, which are in
     * different zones, from a node on that has as many replicas as any.
     */
    static List<List<NodeId>> members(
            List<ClusterNode> nodes, int ranges, int replicas, Random random) {
        List<List<NodeId>> members = new ArrayList<>();
        int size = nodes.size();
        int each = Math.min(replicas, size);
        for (int i = 0; i < ranges; i++) {
            List<NodeId> ids = new ArrayList<>();
            int first = (int) ((long) i * each % size);
            for (int k = 0; k < each; k++) {
                ids.add(nodes.get((first + k) % size).nodeId());
            }
            Collections.rotate(ids, random.nextInt(each));
            members.add(List.copyOf(ids));
        }
        return members;
    }

    /** Ranges 1, 2, ... with these members, at generation 1. */
    public static ClusterMap of(List<ClusterNode> nodes, List<List<NodeId>> members) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.write(2);
            put(
                    SnapshotHeader.newBuilder()
                            .setClusterId("c")
                            .setVersion(1)
                            .setNextRangeId(members.size() + 1)
                            .setNextAccountId(1)
                            .setNextObjectId(1_000)
                            .setRangeCount(members.size())
                            .setNodeCount(nodes.size())
                            .setFeatureLevel(FeatureLevel.NEWEST.value())
                            .build(),
                    out);
            for (RangeDescriptor range : ranges(members)) {
                put(DescriptorCodec.toProto(range), out);
            }
            for (ClusterNode node : nodes) {
                put(MapValueCodec.toProto(node), out);
            }
            return ClusterMapCodec.read(new ByteArrayInputStream(bytes.toByteArray()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<RangeDescriptor> ranges(List<List<NodeId>> members) {
        List<RangeDescriptor> ranges = new ArrayList<>();
        Key start = Key.FIRST;
        for (int i = 1; i <= members.size(); i++) {
            Key end =
                    i == members.size()
                            ? Key.LAST
                            : Key.wrap(ByteBuffer.allocate(5).put((byte) 2).putInt(i).array());
            ranges.add(
                    new RangeDescriptor(
                            new RangeId(i),
                            new KeyRange(start, end),
                            Generation.FIRST,
                            members.get(i - 1)));
            start = end;
        }
        return ranges;
    }

    private static void put(MessageLite record, DataOutputStream out) throws IOException {
        out.writeInt(record.getSerializedSize());
        record.writeTo(out);
    }
}

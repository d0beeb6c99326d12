package io.parterre.manager.plan;

import com.google.protobuf.MessageLite;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterMapCodec;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapApply;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapValueCodec;
import io.parterre.proto.manager.log.SnapshotHeader;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Maps with as many ranges as a test wants, all of which have served. */
final class Maps {
    private Maps() {}

    /** Ranges 1, 2, ... with these members, at generation 1. */
    static ClusterMap of(List<ClusterNode> nodes, List<List<NodeId>> members) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.write(1);
            put(
                    SnapshotHeader.newBuilder()
                            .setClusterId("c")
                            .setVersion(1)
                            .setNextRangeId(members.size() + 1)
                            .setNextAccountId(1)
                            .setNextObjectId(1_000)
                            .setRangeCount(members.size())
                            .setNodeCount(nodes.size())
                            .build(),
                    out);
            for (RangeDescriptor range : ranges(members)) {
                put(DescriptorCodec.toProto(range), out);
            }
            for (ClusterNode node : nodes) {
                put(MapValueCodec.toProto(node), out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
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

    static NodeId id(int n) {
        return new NodeId("n" + n);
    }

    static List<NodeId> ids(int... numbers) {
        List<NodeId> ids = new ArrayList<>();
        for (int n : numbers) {
            ids.add(id(n));
        }
        return ids;
    }

    static ClusterNode node(NodeId nodeId, String zone) {
        return new ClusterNode(nodeId, nodeId + ":1", nodeId + ":2", zone, "");
    }

    static ClusterMap after(ClusterMap map, MapCommand... commands) {
        ClusterMap result = map;
        for (MapCommand command : commands) {
            result = MapApply.apply(result, command).map();
        }
        return result;
    }
}

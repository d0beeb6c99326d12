package io.parterre.server.apply;

import com.google.protobuf.InvalidProtocolBufferException;
import io.parterre.proto.manager.HostReplica;
import io.parterre.proto.manager.Node;
import io.parterre.proto.range.Descriptor;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.NodeId;
import io.parterre.server.command.Member;
import java.util.Arrays;
import java.util.List;

/**
 * Codec of hosted ranges, as the manager orders them and the store keeps them: a version byte, then
 * {@code parterre.manager.HostReplica}. Stateless; safe for any thread.
 */
public final class HostedRangeCodec {
    private static final byte VERSION = 1;

    private HostedRangeCodec() {}

    /**
     * Reads the range that an order names.
     *
     * @throws IllegalArgumentException if the descriptor is malformed or names a member without a
     *     node
     */
    public static HostedRange fromProto(Descriptor descriptor, List<Node> members) {
        return new HostedRange(
                DescriptorCodec.fromProto(descriptor),
                members.stream().map(HostedRangeCodec::member).toList());
    }

    /** Converts a node of an order to a member. */
    public static Member member(Node node) {
        return new Member(
                new NodeId(node.getNodeId()), node.getRaftAddress(), node.getServiceAddress());
    }

    public static byte[] encode(HostedRange range) {
        HostReplica.Builder message =
                HostReplica.newBuilder().setRange(DescriptorCodec.toProto(range.descriptor()));
        for (Member member : range.members()) {
            message.addMembers(
                    Node.newBuilder()
                            .setNodeId(member.nodeId().value())
                            .setRaftAddress(member.raftAddress())
                            .setServiceAddress(member.serviceAddress()));
        }
        byte[] body = message.build().toByteArray();
        byte[] row = new byte[1 + body.length];
        row[0] = VERSION;
        System.arraycopy(body, 0, row, 1, body.length);
        return row;
    }

    /**
     * Reads a row.
     *
     * @throws IllegalArgumentException if it is malformed or of an unknown version
     */
    public static HostedRange decode(byte[] row) {
        if (row.length == 0 || row[0] != VERSION) {
            throw new IllegalArgumentException("descriptor row: of unknown version");
        }
        try {
            HostReplica message = HostReplica.parseFrom(Arrays.copyOfRange(row, 1, row.length));
            return fromProto(message.getRange(), message.getMembersList());
        } catch (InvalidProtocolBufferException malformed) {
            throw new IllegalArgumentException("descriptor row: malformed", malformed);
        }
    }
}

package io.parterre.server.raft;

import com.google.protobuf.InvalidProtocolBufferException;
import io.parterre.proto.manager.HostReplica;
import io.parterre.proto.manager.Node;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.NodeId;
import java.util.Arrays;

/**
 * Hosted ranges as the manager orders them and as the store keeps them: a version byte, then {@code
 * parterre.manager.HostReplica}. Stateless; safe for any thread.
 */
public final class HostedRangeCodec {
    private static final byte VERSION = 1;

    private HostedRangeCodec() {}

    /**
     * Reads an order.
     *
     * @throws IllegalArgumentException if it is malformed
     */
    public static HostedRange fromProto(HostReplica message) {
        return new HostedRange(
                DescriptorCodec.fromProto(message.getRange()),
                message.getMembersList().stream()
                        .map(
                                node ->
                                        new Member(
                                                new NodeId(node.getNodeId()),
                                                node.getRaftAddress()))
                        .toList());
    }

    static byte[] encode(HostedRange range) {
        HostReplica.Builder message =
                HostReplica.newBuilder().setRange(DescriptorCodec.toProto(range.descriptor()));
        for (Member member : range.members()) {
            message.addMembers(
                    Node.newBuilder()
                            .setNodeId(member.nodeId().value())
                            .setRaftAddress(member.raftAddress()));
        }
        byte[] body = message.build().toByteArray();
        byte[] row = new byte[1 + body.length];
        row[0] = VERSION;
        System.arraycopy(body, 0, row, 1, body.length);
        return row;
    }

    static HostedRange decode(byte[] row) {
        if (row.length == 0 || row[0] != VERSION) {
            throw new IllegalArgumentException("descriptor row: of unknown version");
        }
        try {
            return fromProto(HostReplica.parseFrom(Arrays.copyOfRange(row, 1, row.length)));
        } catch (InvalidProtocolBufferException malformed) {
            throw new IllegalArgumentException("descriptor row: malformed", malformed);
        }
    }
}

package io.parterre.server.command;

import io.parterre.range.NodeId;
import java.util.List;

/** Converts members from and to {@code parterre.range.Member}. Stateless; safe for any thread. */
public final class MemberCodec {
    private MemberCodec() {}

    public static io.parterre.proto.range.Member toProto(Member member) {
        return io.parterre.proto.range.Member.newBuilder()
                .setNodeId(member.nodeId().value())
                .setRaftAddress(member.raftAddress())
                .setServiceAddress(member.serviceAddress())
                .build();
    }

    /**
     * Reads members.
     *
     * @throws IllegalArgumentException if one is malformed
     */
    public static List<Member> fromProto(List<io.parterre.proto.range.Member> messages) {
        return messages.stream()
                .map(
                        each ->
                                new Member(
                                        new NodeId(each.getNodeId()),
                                        each.getRaftAddress(),
                                        each.getServiceAddress()))
                .toList();
    }
}

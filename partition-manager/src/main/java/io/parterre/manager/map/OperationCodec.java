package io.parterre.manager.map;

import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.util.Optional;

/** What is under way as messages. Stateless; safe for any thread. */
final class OperationCodec {
    private OperationCodec() {}

    static io.parterre.proto.manager.log.Move toProto(Move move) {
        return io.parterre.proto.manager.log.Move.newBuilder()
                .setRangeId(move.rangeId().value())
                .setAdd(move.add().map(NodeId::value).orElse(""))
                .setRemove(move.remove().map(NodeId::value).orElse(""))
                .setReason(toProto(move.reason()))
                .setDecidedAt(move.decidedAt().value())
                .setBegunMillis(move.begun().toEpochMilli())
                .build();
    }

    /**
     * Reads a move.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    static Move fromProto(io.parterre.proto.manager.log.Move message) {
        return new Move(
                new RangeId(message.getRangeId()),
                nodeId(message.getAdd()),
                nodeId(message.getRemove()),
                fromProto(message.getReason()),
                new Generation(message.getDecidedAt()),
                Instant.ofEpochMilli(message.getBegunMillis()));
    }

    static Optional<NodeId> nodeId(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(new NodeId(text));
    }

    private static io.parterre.proto.manager.log.MoveReason toProto(MoveReason reason) {
        return switch (reason) {
            case REPAIR -> io.parterre.proto.manager.log.MoveReason.REPAIR;
            case UNDER_REPLICATED -> io.parterre.proto.manager.log.MoveReason.UNDER_REPLICATED;
            case OVER_REPLICATED -> io.parterre.proto.manager.log.MoveReason.OVER_REPLICATED;
            case DRAIN -> io.parterre.proto.manager.log.MoveReason.DRAIN;
            case ZONES -> io.parterre.proto.manager.log.MoveReason.ZONES;
            case BALANCE -> io.parterre.proto.manager.log.MoveReason.BALANCE;
            case OPERATOR -> io.parterre.proto.manager.log.MoveReason.OPERATOR;
        };
    }

    private static MoveReason fromProto(io.parterre.proto.manager.log.MoveReason reason) {
        return switch (reason) {
            case REPAIR -> MoveReason.REPAIR;
            case UNDER_REPLICATED -> MoveReason.UNDER_REPLICATED;
            case OVER_REPLICATED -> MoveReason.OVER_REPLICATED;
            case DRAIN -> MoveReason.DRAIN;
            case ZONES -> MoveReason.ZONES;
            case BALANCE -> MoveReason.BALANCE;
            case OPERATOR -> MoveReason.OPERATOR;
            case MOVE_REASON_UNSPECIFIED, UNRECOGNIZED ->
                    throw new IllegalArgumentException("move reason: not known here");
        };
    }

    static io.parterre.proto.manager.log.MoveEnd toProto(MoveEnd end) {
        return switch (end) {
            case DONE -> io.parterre.proto.manager.log.MoveEnd.DONE;
            case GIVEN_UP -> io.parterre.proto.manager.log.MoveEnd.GIVEN_UP;
        };
    }

    static MoveEnd fromProto(io.parterre.proto.manager.log.MoveEnd end) {
        return switch (end) {
            case DONE -> MoveEnd.DONE;
            case GIVEN_UP -> MoveEnd.GIVEN_UP;
            case MOVE_END_UNSPECIFIED, UNRECOGNIZED ->
                    throw new IllegalArgumentException("move end: not known here");
        };
    }

    static io.parterre.proto.manager.log.DisruptionLease toProto(DisruptionLease lease) {
        return io.parterre.proto.manager.log.DisruptionLease.newBuilder()
                .setNodeId(lease.nodeId().value())
                .setUntilMillis(lease.until().toEpochMilli())
                .setReason(lease.reason())
                .build();
    }

    /**
     * Reads a lease.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    static DisruptionLease fromProto(io.parterre.proto.manager.log.DisruptionLease message) {
        return new DisruptionLease(
                new NodeId(message.getNodeId()),
                Instant.ofEpochMilli(message.getUntilMillis()),
                message.getReason());
    }
}

package io.parterre.manager.map;

import com.google.protobuf.ByteString;
import io.parterre.key.Key;
import io.parterre.manager.reason.ReasonCodec;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Converts operations in progress to messages and back. Stateless and thread-safe. */
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
            case MERGE -> io.parterre.proto.manager.log.MoveReason.MERGE;
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
            case MERGE -> MoveReason.MERGE;
            case MOVE_REASON_UNSPECIFIED, UNRECOGNIZED ->
                    throw new IllegalArgumentException("move reason: not known here");
        };
    }

    static io.parterre.proto.manager.log.Split toProto(Split split) {
        var message =
                io.parterre.proto.manager.log.Split.newBuilder()
                        .setRangeId(split.rangeId().value())
                        .setChildRangeId(split.childId().value())
                        .setDecidedAt(split.decidedAt().value())
                        .setSplitPoint(toProto(split.splitPoint()))
                        .setChildLeader(split.childLeader().map(NodeId::value).orElse(""))
                        .setReason(toProto(split.reason()))
                        .setBegunMillis(split.begun().toEpochMilli())
                        .setAbandoned(split.abandoned().map(ReasonCodec::words).orElse(""))
                        .addAllFurtherChildRangeIds(
                                split.childIds().stream().skip(1).map(RangeId::value).toList());
        split.abandoned().flatMap(ReasonCodec::coded).ifPresent(message::setAbandonReason);
        return message.build();
    }

    /**
     * Reads a split.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    static Split fromProto(io.parterre.proto.manager.log.Split message) {
        List<RangeId> childIds = new ArrayList<>();
        childIds.add(new RangeId(message.getChildRangeId()));
        message.getFurtherChildRangeIdsList().forEach(id -> childIds.add(new RangeId(id)));
        return new Split(
                new RangeId(message.getRangeId()),
                childIds,
                new Generation(message.getDecidedAt()),
                splitPoint(message.getSplitPoint()),
                nodeId(message.getChildLeader()),
                fromProto(message.getReason()),
                Instant.ofEpochMilli(message.getBegunMillis()),
                ReasonCodec.optional(message.getAbandoned(), message.getAbandonReason()));
    }

    static io.parterre.proto.manager.log.BeginSplit toProto(MapCommand.BeginSplit begin) {
        return io.parterre.proto.manager.log.BeginSplit.newBuilder()
                .setRangeId(begin.rangeId().value())
                .setDecidedAt(begin.decidedAt().value())
                .setSplitPoint(toProto(begin.splitPoint()))
                .setChildLeader(begin.childLeader().map(NodeId::value).orElse(""))
                .setReason(toProto(begin.reason()))
                .setBegunMillis(begin.begun().toEpochMilli())
                .setParts(begin.parts())
                .build();
    }

    /**
     * Reads the beginning of a split.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    static MapCommand.BeginSplit fromProto(io.parterre.proto.manager.log.BeginSplit message) {
        return new MapCommand.BeginSplit(
                new RangeId(message.getRangeId()),
                new Generation(message.getDecidedAt()),
                splitPoint(message.getSplitPoint()),
                nodeId(message.getChildLeader()),
                fromProto(message.getReason()),
                Instant.ofEpochMilli(message.getBegunMillis()),
                // Managers from before this field split in two only.
                message.getParts() == 0 ? 2 : message.getParts());
    }

    private static ByteString toProto(Optional<Key> splitPoint) {
        return splitPoint
                .map(key -> ByteString.copyFrom(key.unsafeBytes()))
                .orElse(ByteString.EMPTY);
    }

    private static Optional<Key> splitPoint(ByteString bytes) {
        return bytes.isEmpty() ? Optional.empty() : Optional.of(Key.wrap(bytes.toByteArray()));
    }

    private static io.parterre.proto.manager.log.SplitReason toProto(SplitReason reason) {
        return switch (reason) {
            case OPERATOR -> io.parterre.proto.manager.log.SplitReason.SPLIT_OPERATOR;
            case SIZE -> io.parterre.proto.manager.log.SplitReason.SPLIT_SIZE;
            case LOAD -> io.parterre.proto.manager.log.SplitReason.SPLIT_LOAD;
        };
    }

    private static SplitReason fromProto(io.parterre.proto.manager.log.SplitReason reason) {
        return switch (reason) {
            case SPLIT_OPERATOR -> SplitReason.OPERATOR;
            case SPLIT_SIZE -> SplitReason.SIZE;
            case SPLIT_LOAD -> SplitReason.LOAD;
            case SPLIT_REASON_UNSPECIFIED, UNRECOGNIZED ->
                    throw new IllegalArgumentException("split reason: not known here");
        };
    }

    static io.parterre.proto.manager.log.Recovery toProto(Recovery recovery) {
        return io.parterre.proto.manager.log.Recovery.newBuilder()
                .setRangeId(recovery.rangeId().value())
                .setLostRangeId(recovery.lostId().value())
                .setSurvivor(recovery.survivor().value())
                .setBegunMillis(recovery.begun().toEpochMilli())
                .build();
    }

    /**
     * Reads a recovery.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    static Recovery fromProto(io.parterre.proto.manager.log.Recovery message) {
        return new Recovery(
                new RangeId(message.getRangeId()),
                new RangeId(message.getLostRangeId()),
                new NodeId(message.getSurvivor()),
                Instant.ofEpochMilli(message.getBegunMillis()));
    }

    static io.parterre.proto.manager.log.RecoverRange toProto(MapCommand.RecoverRange recover) {
        return io.parterre.proto.manager.log.RecoverRange.newBuilder()
                .setRangeId(recover.rangeId().value())
                .setDecidedAt(recover.decidedAt().value())
                .setSuccessorId(recover.successorId().value())
                .setGeneration(recover.generation().value())
                .setSurvivor(recover.survivor().value())
                .setBegunMillis(recover.begun().toEpochMilli())
                .build();
    }

    static MapCommand.RecoverRange fromProto(io.parterre.proto.manager.log.RecoverRange message) {
        return new MapCommand.RecoverRange(
                new RangeId(message.getRangeId()),
                new Generation(message.getDecidedAt()),
                new RangeId(message.getSuccessorId()),
                new Generation(message.getGeneration()),
                new NodeId(message.getSurvivor()),
                Instant.ofEpochMilli(message.getBegunMillis()));
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
     * Reads a disruption permit.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    static DisruptionLease fromProto(io.parterre.proto.manager.log.DisruptionLease message) {
        return new DisruptionLease(
                new NodeId(message.getNodeId()),
                Instant.ofEpochMilli(message.getUntilMillis()),
                message.getReason());
    }

    static io.parterre.proto.manager.log.FormerFolders toProto(FormerFolders former) {
        return io.parterre.proto.manager.log.FormerFolders.newBuilder()
                .setNodeId(former.nodeId().value())
                .addAllIncarnations(former.incarnations())
                .build();
    }

    /**
     * Reads former folders.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    static FormerFolders fromProto(io.parterre.proto.manager.log.FormerFolders message) {
        return new FormerFolders(
                new NodeId(message.getNodeId()), message.getIncarnationsList().stream().toList());
    }
}

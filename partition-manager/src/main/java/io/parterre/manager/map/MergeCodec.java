package io.parterre.manager.map;

import io.parterre.manager.reason.ReasonCodec;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Instant;

/** Converts merges and tombstones of ranges to messages and back. Stateless and thread-safe. */
final class MergeCodec {
    private MergeCodec() {}

    static io.parterre.proto.manager.log.Merge toProto(Merge merge) {
        var message =
                io.parterre.proto.manager.log.Merge.newBuilder()
                        .setLeftRangeId(merge.leftId().value())
                        .setRightRangeId(merge.rightId().value())
                        .setLeftDecidedAt(merge.leftDecidedAt().value())
                        .setRightDecidedAt(merge.rightDecidedAt().value())
                        .setReason(toProto(merge.reason()))
                        .setBegunMillis(merge.begun().toEpochMilli())
                        .setAbandoned(merge.abandoned().map(ReasonCodec::words).orElse(""));
        merge.abandoned().flatMap(ReasonCodec::coded).ifPresent(message::setAbandonReason);
        return message.build();
    }

    /**
     * Reads a merge.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    static Merge fromProto(io.parterre.proto.manager.log.Merge message) {
        return new Merge(
                new RangeId(message.getLeftRangeId()),
                new RangeId(message.getRightRangeId()),
                new Generation(message.getLeftDecidedAt()),
                new Generation(message.getRightDecidedAt()),
                fromProto(message.getReason()),
                Instant.ofEpochMilli(message.getBegunMillis()),
                ReasonCodec.optional(message.getAbandoned(), message.getAbandonReason()));
    }

    private static io.parterre.proto.manager.log.MergeReason toProto(MergeReason reason) {
        return switch (reason) {
            case OPERATOR -> io.parterre.proto.manager.log.MergeReason.MERGE_OPERATOR;
            case QUIET -> io.parterre.proto.manager.log.MergeReason.MERGE_QUIET;
            case EMPTY -> io.parterre.proto.manager.log.MergeReason.MERGE_EMPTY;
        };
    }

    private static MergeReason fromProto(io.parterre.proto.manager.log.MergeReason reason) {
        return switch (reason) {
            case MERGE_OPERATOR -> MergeReason.OPERATOR;
            case MERGE_QUIET -> MergeReason.QUIET;
            case MERGE_EMPTY -> MergeReason.EMPTY;
            case MERGE_REASON_UNSPECIFIED, UNRECOGNIZED ->
                    throw new IllegalArgumentException("merge reason: not known here");
        };
    }

    static io.parterre.proto.manager.log.JoinRanges toProto(MapCommand.JoinRanges join) {
        return io.parterre.proto.manager.log.JoinRanges.newBuilder()
                .setMerge(toProto(join.merge()))
                .setGeneration(join.generation().value())
                .addAllMembers(join.members().stream().map(NodeId::value).toList())
                .build();
    }

    /**
     * Reads the completion of a merge.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    static MapCommand.JoinRanges fromProto(io.parterre.proto.manager.log.JoinRanges message) {
        return new MapCommand.JoinRanges(
                fromProto(message.getMerge()),
                new Generation(message.getGeneration()),
                message.getMembersList().stream().map(NodeId::new).toList());
    }

    static io.parterre.proto.manager.log.DeadRange toProto(DeadRange dead) {
        return io.parterre.proto.manager.log.DeadRange.newBuilder()
                .setRangeId(dead.rangeId().value())
                .setGeneration(dead.generation().value())
                .setSuccessorId(dead.successorId().value())
                .setRecovered(dead.recovered())
                .setMapVersion(dead.mapVersion())
                .build();
    }

    /**
     * Reads the tombstone of a range.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    static DeadRange fromProto(io.parterre.proto.manager.log.DeadRange message) {
        return new DeadRange(
                new RangeId(message.getRangeId()),
                new Generation(message.getGeneration()),
                new RangeId(message.getSuccessorId()),
                message.getRecovered(),
                message.getMapVersion());
    }
}

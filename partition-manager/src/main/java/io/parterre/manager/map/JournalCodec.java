package io.parterre.manager.map;

import io.parterre.manager.reason.ReasonCodec;
import io.parterre.manager.reason.ReasonText;
import io.parterre.proto.journal.JournalKind;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Instant;

/** Converts journal entries to messages and back. Stateless and thread-safe. */
public final class JournalCodec {
    private JournalCodec() {}

    /** Returns the entry for operators: with its sentence, whether they read codes or not. */
    public static io.parterre.proto.journal.JournalEntry told(JournalEntry entry) {
        return toProto(entry).toBuilder().setWhy(ReasonText.of(entry.why())).build();
    }

    static io.parterre.proto.journal.JournalEntry toProto(JournalEntry entry) {
        var message =
                io.parterre.proto.journal.JournalEntry.newBuilder()
                        .setNumber(entry.number())
                        .setKind(toProto(entry.kind()))
                        .setVerdict(entry.verdict())
                        .setFirstMillis(entry.first().toEpochMilli())
                        .setLastMillis(entry.last().toEpochMilli())
                        .setCount(entry.count())
                        .addAllRangeIds(entry.ranges().stream().map(RangeId::value).toList())
                        .addAllNodeIds(entry.nodes().stream().map(NodeId::value).toList())
                        .setWhy(ReasonCodec.words(entry.why()));
        ReasonCodec.coded(entry.why()).ifPresent(message::setReason);
        return message.build();
    }

    private static JournalKind toProto(JournalEntry.Kind kind) {
        return switch (kind) {
            case DECIDED -> JournalKind.DECIDED;
            case ENDED -> JournalKind.ENDED;
            case LEFT -> JournalKind.LEFT;
            case ASKED -> JournalKind.ASKED;
        };
    }

    /**
     * Reads an entry.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    static JournalEntry fromProto(io.parterre.proto.journal.JournalEntry message) {
        return new JournalEntry(
                message.getNumber(),
                fromProto(message.getKind()),
                message.getVerdict(),
                Instant.ofEpochMilli(message.getFirstMillis()),
                Instant.ofEpochMilli(message.getLastMillis()),
                message.getCount(),
                message.getRangeIdsList().stream().map(RangeId::new).toList(),
                message.getNodeIdsList().stream().map(NodeId::new).toList(),
                ReasonCodec.fromProto(message.getWhy(), message.getReason()));
    }

    private static JournalEntry.Kind fromProto(JournalKind kind) {
        return switch (kind) {
            case DECIDED -> JournalEntry.Kind.DECIDED;
            case ENDED -> JournalEntry.Kind.ENDED;
            case LEFT -> JournalEntry.Kind.LEFT;
            case ASKED -> JournalEntry.Kind.ASKED;
            case JOURNAL_KIND_UNSPECIFIED, UNRECOGNIZED ->
                    throw new IllegalArgumentException("journal kind: not known here");
        };
    }
}

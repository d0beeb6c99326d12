package io.parterre.manager.reason;

import io.parterre.proto.journal.ReasonArgument;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.Optional;

/**
 * Converts reasons to messages and back. A reason in words has a field of its own, which every
 * release reads. A coded reason is read only by releases with {@link
 * io.parterre.release.Feature#JOURNAL_REASONS}. Stateless and thread-safe.
 */
public final class ReasonCodec {
    private ReasonCodec() {}

    /** Returns the sentence of a reason in words; empty text if it has a code. */
    public static String words(Reason reason) {
        return reason.is(ReasonCode.WORDS) ? reason.toString() : "";
    }

    /** Returns a reason that has a code; empty if it is in words. */
    public static Optional<io.parterre.proto.journal.Reason> coded(Reason reason) {
        return reason.is(ReasonCode.WORDS) ? Optional.empty() : Optional.of(toProto(reason));
    }

    private static io.parterre.proto.journal.Reason toProto(Reason reason) {
        return io.parterre.proto.journal.Reason.newBuilder()
                .setCode(reason.code())
                .addAllArguments(reason.arguments().stream().map(ReasonCodec::toProto).toList())
                .build();
    }

    private static ReasonArgument toProto(Argument argument) {
        ReasonArgument.Builder message = ReasonArgument.newBuilder();
        if (argument instanceof Argument.Range range) {
            message.setRangeId(range.value().value());
        } else if (argument instanceof Argument.Node node) {
            message.setNodeId(node.value().value());
        } else if (argument instanceof Argument.Count count) {
            message.setCount(count.value());
        } else if (argument instanceof Argument.Rate rate) {
            message.setRate(rate.value());
        } else if (argument instanceof Argument.Bytes bytes) {
            message.setBytes(bytes.value().bytes());
        } else if (argument instanceof Argument.Text text) {
            message.setText(text.value());
        } else {
            message.setCause(toProto(((Argument.Cause) argument).value()));
        }
        return message.build();
    }

    /**
     * Reads a reason.
     *
     * @param words empty if the reason has a code
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    public static Reason fromProto(String words, io.parterre.proto.journal.Reason message) {
        return message.getCode() == ReasonCode.WORDS.number()
                ? Reason.words(words)
                : fromProto(message);
    }

    /** Reads a reason that may be absent; empty if there are neither words nor a code. */
    public static Optional<Reason> optional(
            String words, io.parterre.proto.journal.Reason message) {
        return Optional.of(fromProto(words, message))
                .filter(reason -> !reason.equals(Reason.words("")));
    }

    private static Reason fromProto(io.parterre.proto.journal.Reason message) {
        return new Reason(
                message.getCode(),
                message.getArgumentsList().stream().map(ReasonCodec::fromProto).toList());
    }

    private static Argument fromProto(ReasonArgument message) {
        return switch (message.getValueCase()) {
            case RANGE_ID -> new Argument.Range(new RangeId(message.getRangeId()));
            case NODE_ID -> new Argument.Node(new NodeId(message.getNodeId()));
            case COUNT -> new Argument.Count(message.getCount());
            case RATE -> new Argument.Rate(message.getRate());
            case BYTES -> new Argument.Bytes(new ByteCount(message.getBytes()));
            case TEXT -> new Argument.Text(message.getText());
            case CAUSE -> new Argument.Cause(fromProto(message.getCause()));
            case VALUE_NOT_SET ->
                    throw new IllegalArgumentException("argument of a reason: missing");
        };
    }
}

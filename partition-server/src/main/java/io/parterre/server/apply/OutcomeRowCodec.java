package io.parterre.server.apply;

import io.parterre.entity.ByteSink;
import io.parterre.entity.TextCodec;
import io.parterre.error.ErrorCode;
import io.parterre.key.Key;
import io.parterre.key.ObjectId;
import io.parterre.range.Generation;
import io.parterre.server.command.CommandId;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Row of the outcomes of one log entry:
 *
 * <pre>
 * row  = version(1) ticks(8) line*
 * line = sender(8) sequence(8) kind(1) data
 * data = WRITTEN:       count(4) timestamp(8)*
 *        TABLE_CHANGED: table(8) length(4) name(UTF-8)
 *        REJECTED:      operation(4) table(8, 0: none) length(4) code(UTF-8)
 *        MEMBERS_SET:   generation(8)
 *        FENCED_TO:     length(4) key
 *        RANGE_SPLIT, RANGE_FROZEN, RANGE_THAWED, RANGE_ABSORBED: generation(8) done(1)
 *        CLOCK_RESET:   done(1)
 *        ROWS_RESTORED: there(4) kept(4)
 * </pre>
 *
 * <p>Numbers big-endian. Stateless; safe for any thread.
 */
final class OutcomeRowCodec {
    private static final byte VERSION = 1;
    private static final byte WRITTEN = 1;
    private static final byte TABLE_CHANGED = 2;
    private static final byte FENCED = 3;
    private static final byte REJECTED = 4;
    private static final byte SCOPE_FENCED = 5;
    private static final byte PROPERTIES_CHANGED = 6;
    private static final byte MEMBERS_SET = 7;
    private static final byte FENCED_TO = 8;
    private static final byte RANGE_SPLIT = 9;
    private static final byte RANGE_FROZEN = 10;
    private static final byte RANGE_THAWED = 11;
    private static final byte RANGE_ABSORBED = 12;
    private static final byte CLOCK_RESET = 13;
    private static final byte ROWS_RESTORED = 14;

    private OutcomeRowCodec() {}

    /** The outcome of one command. */
    record Line(CommandId id, Outcome outcome) {}

    /**
     * A decoded row.
     *
     * @param ticks log time of the entry
     */
    record Row(long ticks, List<Line> lines) {}

    static byte[] encode(long ticks, List<Line> lines) {
        ByteSink out = new ByteSink(16 + 32 * lines.size());
        out.writeByte(VERSION);
        out.writeLong(ticks);
        for (Line line : lines) {
            out.writeLong(line.id().senderId());
            out.writeLong(line.id().sequence());
            line.outcome().match(new Writer(out));
        }
        return out.toBytes();
    }

    static Row decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            byte version = in.get();
            if (version != VERSION) {
                throw new IllegalArgumentException(
                        "outcome row: version " + version + " (expected: " + VERSION + ")");
            }
            long ticks = in.getLong();
            List<Line> lines = new ArrayList<>();
            while (in.hasRemaining()) {
                CommandId id = new CommandId(in.getLong(), in.getLong());
                lines.add(new Line(id, readOutcome(in)));
            }
            return new Row(ticks, lines);
        } catch (BufferUnderflowException endsEarly) {
            throw new IllegalArgumentException("outcome row: ends early", endsEarly);
        }
    }

    private static Outcome readOutcome(ByteBuffer in) {
        byte kind = in.get();
        return switch (kind) {
            case WRITTEN -> {
                long[] timestamps = new long[checkedLength(in.getInt(), in)];
                for (int i = 0; i < timestamps.length; i++) {
                    timestamps[i] = in.getLong();
                }
                yield new Outcome.Written(timestamps);
            }
            case TABLE_CHANGED -> new Outcome.TableChanged(new ObjectId(in.getLong()), text(in));
            case FENCED -> new Outcome.Fenced(Optional.empty());
            case FENCED_TO -> new Outcome.Fenced(Optional.of(Key.wrap(bytes(in))));
            case REJECTED -> {
                int operation = in.getInt();
                long table = in.getLong();
                String name = text(in);
                ErrorCode code =
                        ErrorCode.ofWireName(name)
                                .orElseThrow(
                                        () ->
                                                new IllegalArgumentException(
                                                        "outcome row: code " + name));
                yield new Outcome.Rejected(
                        code,
                        operation,
                        table == 0 ? Optional.empty() : Optional.of(new ObjectId(table)));
            }
            case SCOPE_FENCED -> new Outcome.ScopeFenced();
            case PROPERTIES_CHANGED -> new Outcome.PropertiesChanged();
            case MEMBERS_SET -> new Outcome.MembersSet(new Generation(in.getLong()));
            case RANGE_SPLIT -> new Outcome.RangeSplit(new Generation(in.getLong()), in.get() != 0);
            case RANGE_FROZEN ->
                    new Outcome.RangeFrozen(new Generation(in.getLong()), in.get() != 0);
            case RANGE_THAWED ->
                    new Outcome.RangeThawed(new Generation(in.getLong()), in.get() != 0);
            case RANGE_ABSORBED ->
                    new Outcome.RangeAbsorbed(new Generation(in.getLong()), in.get() != 0);
            case CLOCK_RESET -> new Outcome.ClockReset(in.get() != 0);
            case ROWS_RESTORED -> new Outcome.RowsRestored(in.getInt(), in.getInt());
            default -> throw new IllegalArgumentException("outcome row: kind " + kind);
        };
    }

    private static String text(ByteBuffer in) {
        byte[] bytes = bytes(in);
        return TextCodec.decode(bytes, 0, bytes.length);
    }

    private static byte[] bytes(ByteBuffer in) {
        byte[] bytes = new byte[checkedLength(in.getInt(), in)];
        in.get(bytes);
        return bytes;
    }

    private static int checkedLength(int length, ByteBuffer in) {
        if (length < 0 || length > in.remaining()) {
            throw new IllegalArgumentException("outcome row: length " + length);
        }
        return length;
    }

    private record Writer(ByteSink out) implements Outcome.Cases<Void> {
        @Override
        public Void written(Outcome.Written written) {
            out.writeByte(WRITTEN);
            out.writeInt(written.timestampTicks().length);
            for (long ticks : written.timestampTicks()) {
                out.writeLong(ticks);
            }
            return null;
        }

        @Override
        public Void tableChanged(Outcome.TableChanged changed) {
            out.writeByte(TABLE_CHANGED);
            out.writeLong(changed.tableId().value());
            writeText(changed.name());
            return null;
        }

        @Override
        public Void fenced(Outcome.Fenced fenced) {
            if (fenced.endExclusive().isEmpty()) {
                out.writeByte(FENCED);
                return null;
            }
            out.writeByte(FENCED_TO);
            writeBytes(fenced.endExclusive().get().unsafeBytes());
            return null;
        }

        @Override
        public Void rejected(Outcome.Rejected rejected) {
            out.writeByte(REJECTED);
            out.writeInt(rejected.operationIndex());
            out.writeLong(rejected.tableId().map(ObjectId::value).orElse(0L));
            writeText(rejected.code().wireName());
            return null;
        }

        @Override
        public Void scopeFenced(Outcome.ScopeFenced fenced) {
            out.writeByte(SCOPE_FENCED);
            return null;
        }

        @Override
        public Void propertiesChanged(Outcome.PropertiesChanged changed) {
            out.writeByte(PROPERTIES_CHANGED);
            return null;
        }

        @Override
        public Void membersSet(Outcome.MembersSet set) {
            out.writeByte(MEMBERS_SET);
            out.writeLong(set.generation().value());
            return null;
        }

        @Override
        public Void rangeSplit(Outcome.RangeSplit split) {
            return changed(RANGE_SPLIT, split.generation(), split.done());
        }

        @Override
        public Void rangeFrozen(Outcome.RangeFrozen frozen) {
            return changed(RANGE_FROZEN, frozen.generation(), frozen.done());
        }

        @Override
        public Void rangeThawed(Outcome.RangeThawed thawed) {
            return changed(RANGE_THAWED, thawed.generation(), thawed.done());
        }

        @Override
        public Void rangeAbsorbed(Outcome.RangeAbsorbed absorbed) {
            return changed(RANGE_ABSORBED, absorbed.generation(), absorbed.done());
        }

        @Override
        public Void clockReset(Outcome.ClockReset reset) {
            out.writeByte(CLOCK_RESET);
            out.writeByte((byte) (reset.done() ? 1 : 0));
            return null;
        }

        @Override
        public Void rowsRestored(Outcome.RowsRestored restored) {
            out.writeByte(ROWS_RESTORED);
            out.writeInt(restored.there());
            out.writeInt(restored.kept());
            return null;
        }

        private Void changed(byte kind, Generation generation, boolean done) {
            out.writeByte(kind);
            out.writeLong(generation.value());
            out.writeByte((byte) (done ? 1 : 0));
            return null;
        }

        @Override
        public Void staleRange(Outcome.StaleRange stale) {
            throw new IllegalArgumentException("outcome: stale range (expected: one to remember)");
        }

        @Override
        public Void forgotten(Outcome.Forgotten forgotten) {
            throw new IllegalArgumentException("outcome: forgotten (expected: one to remember)");
        }

        private void writeText(String text) {
            writeBytes(TextCodec.encode(text));
        }

        private void writeBytes(byte[] bytes) {
            out.writeInt(bytes.length);
            out.writeBytes(bytes, 0, bytes.length);
        }
    }
}

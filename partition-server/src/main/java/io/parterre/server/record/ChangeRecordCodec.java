package io.parterre.server.record;

import io.parterre.entity.ByteSink;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.RangeId;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Change records as bytes, numbers big-endian:
 *
 * <pre>
 * record  = version 1(1) last(1) timeTicks(8) change*   last 1: nothing of its entry follows
 * change  = 1 bytes bytes                        put: key, value
 *         | 2 bytes                              delete
 *         | 3 keys                               delete range
 *         | 4 rangeId(8) keys                    child
 *         | 5 rangeId(8) generation(8) keys      absorbed
 *         | 6 generation(8) frozen(1) keys       bounds
 * keys    = bytes bytes                          start, end
 * bytes   = length(4) byte*
 * </pre>
 *
 * <p>Archives keep records for years, so every layout once written stays readable. Stateless; safe
 * for any thread.
 */
public final class ChangeRecordCodec {
    private static final byte VERSION = 1;
    private static final byte PUT = 1;
    private static final byte DELETE = 2;
    private static final byte DELETE_RANGE = 3;
    private static final byte CHILD = 4;
    private static final byte ABSORBED = 5;
    private static final byte BOUNDS = 6;

    private static final int LAST_AT = 1;

    private ChangeRecordCodec() {}

    /** Writes the head of a record, to which changes are appended. */
    public static void begin(ByteSink to, long timeTicks) {
        to.writeByte(VERSION);
        to.writeByte(0);
        to.writeLong(timeTicks);
    }

    /** Marks a record as the last of its entry. */
    public static void markLast(byte[] record) {
        record[LAST_AT] = 1;
    }

    /** Returns whether a record is marked as the last of its entry. */
    public static boolean isLast(byte[] record) {
        return record.length > LAST_AT && record[LAST_AT] != 0;
    }

    /** Appends a change. */
    public static void append(ByteSink to, RowChange change) {
        if (change instanceof RowChange.Put put) {
            to.writeByte(PUT);
            bytes(to, put.key().unsafeBytes());
            bytes(to, put.value());
        } else if (change instanceof RowChange.Delete delete) {
            to.writeByte(DELETE);
            bytes(to, delete.key().unsafeBytes());
        } else if (change instanceof RowChange.DeleteRange emptied) {
            to.writeByte(DELETE_RANGE);
            keys(to, emptied.keys());
        } else if (change instanceof RowChange.Child child) {
            to.writeByte(CHILD);
            to.writeLong(child.childId().value());
            keys(to, child.keys());
        } else if (change instanceof RowChange.Absorbed absorbed) {
            to.writeByte(ABSORBED);
            to.writeLong(absorbed.rightId().value());
            to.writeLong(absorbed.generation().value());
            keys(to, absorbed.keys());
        } else if (change instanceof RowChange.Bounds bounds) {
            to.writeByte(BOUNDS);
            to.writeLong(bounds.generation().value());
            to.writeByte(bounds.frozen() ? 1 : 0);
            keys(to, bounds.keys());
        }
    }

    /** Returns a whole record as bytes, not marked as last. */
    public static byte[] encode(ChangeRecord record) {
        ByteSink to = new ByteSink(64);
        begin(to, record.timeTicks());
        record.changes().forEach(change -> append(to, change));
        return to.toBytes();
    }

    private static void keys(ByteSink to, KeyRange keys) {
        bytes(to, keys.start().unsafeBytes());
        bytes(to, keys.endExclusive().unsafeBytes());
    }

    private static void bytes(ByteSink to, byte[] bytes) {
        to.writeInt(bytes.length);
        to.writeBytes(bytes, 0, bytes.length);
    }

    /**
     * Reads a record.
     *
     * @throws IllegalArgumentException if it is malformed or of an unknown version
     */
    public static ChangeRecord decode(byte[] record) {
        ByteBuffer in = ByteBuffer.wrap(record);
        try {
            byte version = in.get();
            if (version != VERSION) {
                throw new IllegalArgumentException(
                        "change record: version " + version + " (expected: " + VERSION + ")");
            }
            in.get();
            long timeTicks = in.getLong();
            List<RowChange> changes = new ArrayList<>();
            while (in.hasRemaining()) {
                changes.add(change(in));
            }
            return new ChangeRecord(timeTicks, changes);
        } catch (BufferUnderflowException early) {
            throw new IllegalArgumentException("change record: ends early", early);
        }
    }

    private static RowChange change(ByteBuffer in) {
        byte tag = in.get();
        return switch (tag) {
            case PUT -> new RowChange.Put(Key.wrap(bytes(in)), bytes(in));
            case DELETE -> new RowChange.Delete(Key.wrap(bytes(in)));
            case DELETE_RANGE -> new RowChange.DeleteRange(keys(in));
            case CHILD -> new RowChange.Child(new RangeId(in.getLong()), keys(in));
            case ABSORBED ->
                    new RowChange.Absorbed(
                            new RangeId(in.getLong()), new Generation(in.getLong()), keys(in));
            case BOUNDS -> {
                Generation generation = new Generation(in.getLong());
                boolean frozen = in.get() != 0;
                yield new RowChange.Bounds(generation, keys(in), frozen);
            }
            default ->
                    throw new IllegalArgumentException(
                            "change record: change of kind " + tag + " (expected: 1..6)");
        };
    }

    private static KeyRange keys(ByteBuffer in) {
        return new KeyRange(Key.wrap(bytes(in)), Key.wrap(bytes(in)));
    }

    private static byte[] bytes(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new IllegalArgumentException(
                    "change record: length " + length + " of " + in.remaining() + " bytes left");
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }
}

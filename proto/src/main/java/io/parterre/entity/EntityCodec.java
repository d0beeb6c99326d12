package io.parterre.entity;

import io.parterre.entity.EdmValue.BinaryValue;
import io.parterre.entity.EdmValue.BooleanValue;
import io.parterre.entity.EdmValue.DateTimeValue;
import io.parterre.entity.EdmValue.DoubleValue;
import io.parterre.entity.EdmValue.GuidValue;
import io.parterre.entity.EdmValue.Int32Value;
import io.parterre.entity.EdmValue.Int64Value;
import io.parterre.entity.EdmValue.StringValue;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The stored form of an entity, without its keys, which are in the row's key:
 *
 * <pre>
 * value    = version(1) timestamp(8, big-endian) block
 * block    = property*                          to the end of the value
 * property = type(1) length(varint) name(UTF-8) data
 * data     = 1, 4, 8 or 16 bytes by type; string and binary: length(varint) bytes
 * </pre>
 *
 * <p>A write carries a block only, because the timestamp is known only when the write is applied.
 * Stateless; safe for any thread. Malformed bytes cause an {@link IllegalArgumentException}.
 */
public final class EntityCodec {
    /** First byte of every stored entity; a reader refuses other versions. */
    public static final byte VERSION = 1;

    static final int HEADER_BYTES = 1 + Long.BYTES;

    private EntityCodec() {}

    /** The block of these properties, in their order. */
    public static byte[] encodeBlock(List<Property> properties) {
        ByteSink out = new ByteSink(lengthIfAscii(properties));
        for (Property property : properties) {
            writeProperty(property, out);
        }
        return out.takeBytes();
    }

    /** Length of the block; too small if a text has characters of several bytes. */
    private static int lengthIfAscii(List<Property> properties) {
        int length = 0;
        for (Property property : properties) {
            length += 1 + blobLength(property.name().length()) + dataLength(property.value());
        }
        return length;
    }

    static int dataLength(EdmValue value) {
        if (value instanceof StringValue string) {
            return blobLength(string.value().length());
        }
        if (value instanceof BinaryValue binary) {
            return blobLength(binary.value().length);
        }
        return switch (value.type()) {
            case BOOLEAN -> 1;
            case INT32 -> Integer.BYTES;
            case INT64, DOUBLE, DATE_TIME -> Long.BYTES;
            case GUID -> 2 * Long.BYTES;
            case STRING, BINARY -> throw new IllegalStateException("type: seen above");
        };
    }

    static int blobLength(int length) {
        return ByteSink.varintLength(length) + length;
    }

    /** The stored value of a block written at this time. */
    public static byte[] encodeValue(long timestampTicks, byte[] block) {
        return ByteBuffer.allocate(HEADER_BYTES + block.length)
                .put(VERSION)
                .putLong(timestampTicks)
                .put(block)
                .array();
    }

    /** The timestamp of a stored value. */
    public static long timestampTicks(byte[] value) {
        checkVersion(value, value.length);
        return Bytes.longAt(value, 1);
    }

    /** The block of a stored value, as a copy. */
    public static byte[] blockOf(byte[] value) {
        checkVersion(value, value.length);
        return Arrays.copyOfRange(value, HEADER_BYTES, value.length);
    }

    /** The properties of a block, in their order. */
    public static List<Property> decodeBlock(byte[] block) {
        List<Property> properties = new ArrayList<>();
        for (PropertyCursor at = new PropertyCursor(block, 0, block.length); at.next(); ) {
            properties.add(at.property());
        }
        return properties;
    }

    /**
     * The result of a merge: properties of {@code update} replace those of the same name in place,
     * and new properties follow in their order. Source: docs/protocol.md 3.9.
     */
    public static byte[] mergeBlocks(byte[] stored, byte[] update) {
        Map<String, Property> merged = new LinkedHashMap<>();
        decodeBlock(stored).forEach(property -> merged.put(property.name(), property));
        decodeBlock(update).forEach(property -> merged.put(property.name(), property));
        return encodeBlock(List.copyOf(merged.values()));
    }

    static void checkVersion(byte[] value, int length) {
        if (length < HEADER_BYTES || value[0] != VERSION) {
            throw new IllegalArgumentException(
                    "stored entity: version "
                            + (length == 0 ? "missing" : value[0])
                            + " (expected: "
                            + VERSION
                            + ")");
        }
    }

    private static void writeProperty(Property property, ByteSink out) {
        EdmValue value = property.value();
        out.writeByte(value.type().tag());
        out.writeBlob(TextCodec.encode(property.name()));
        writeData(value, out);
    }

    static void writeData(EdmValue value, ByteSink out) {
        value.match(new ValueWriter(out));
    }

    /** Writes the data of one value. */
    private record ValueWriter(ByteSink out) implements EdmValue.Cases<Void> {
        @Override
        public Void string(String value) {
            out.writeBlob(TextCodec.encode(value));
            return null;
        }

        @Override
        public Void bool(boolean value) {
            out.writeByte(value ? 1 : 0);
            return null;
        }

        @Override
        public Void int32(int value) {
            out.writeInt(value);
            return null;
        }

        @Override
        public Void int64(long value) {
            out.writeLong(value);
            return null;
        }

        @Override
        public Void float64(double value) {
            out.writeLong(Double.doubleToRawLongBits(value));
            return null;
        }

        @Override
        public Void dateTime(long ticks) {
            out.writeLong(ticks);
            return null;
        }

        @Override
        public Void guid(UUID value) {
            out.writeLong(value.getMostSignificantBits());
            out.writeLong(value.getLeastSignificantBits());
            return null;
        }

        @Override
        public Void binary(byte[] value) {
            out.writeBlob(value);
            return null;
        }
    }

    static EdmValue readValue(EdmType type, byte[] bytes, int offset, int length) {
        ByteBuffer in = ByteBuffer.wrap(bytes, offset, length);
        return switch (type) {
            case STRING -> new StringValue(TextCodec.decode(bytes, offset, length));
            case BOOLEAN -> new BooleanValue(in.get() != 0);
            case INT32 -> new Int32Value(in.getInt());
            case INT64 -> new Int64Value(in.getLong());
            case DOUBLE -> new DoubleValue(Double.longBitsToDouble(in.getLong()));
            case DATE_TIME -> new DateTimeValue(in.getLong());
            case GUID -> new GuidValue(new UUID(in.getLong(), in.getLong()));
            case BINARY -> new BinaryValue(Arrays.copyOfRange(bytes, offset, offset + length));
        };
    }
}

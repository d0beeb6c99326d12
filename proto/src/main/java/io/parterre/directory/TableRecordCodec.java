package io.parterre.directory;

import com.google.protobuf.InvalidProtocolBufferException;
import io.parterre.entity.TextCodec;
import io.parterre.key.ObjectId;
import io.parterre.proto.directory.AccessPolicies;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Stored form of a directory row:
 *
 * <pre>
 * version 1 = 1(1) state(1) tableId(8) name(UTF-8)
 * version 2 = 2(1) state(1) tableId(8) nameLength(4) name(UTF-8) policies
 * </pre>
 *
 * <p>Numbers big-endian, policies as {@code parterre.directory.AccessPolicies}. A table without
 * policies is written in version 1. Stateless; safe for any thread.
 */
public final class TableRecordCodec {
    private static final byte WITHOUT_POLICIES = 1;
    private static final byte WITH_POLICIES = 2;
    private static final int HEADER_BYTES = 2 + Long.BYTES;

    private TableRecordCodec() {}

    public static byte[] encode(TableRecord table) {
        byte[] name = TextCodec.encode(table.name());
        boolean bare = table.policies().isEmpty();
        byte[] policies =
                bare ? new byte[0] : AccessPolicyCodec.toProto(table.policies()).toByteArray();
        int length = HEADER_BYTES + (bare ? 0 : Integer.BYTES) + name.length + policies.length;
        ByteBuffer out =
                ByteBuffer.allocate(length)
                        .put(bare ? WITHOUT_POLICIES : WITH_POLICIES)
                        .put((byte) (table.state() == TableRecord.State.LIVE ? 1 : 2))
                        .putLong(table.tableId().value());
        if (!bare) {
            out.putInt(name.length);
        }
        return out.put(name).put(policies).array();
    }

    /**
     * Reads a directory row.
     *
     * @throws IllegalArgumentException if the bytes are no row of a known version
     */
    public static TableRecord decode(byte[] bytes) {
        if (bytes.length < HEADER_BYTES
                || bytes[0] < WITHOUT_POLICIES
                || bytes[0] > WITH_POLICIES
                || bytes[1] < 1
                || bytes[1] > 2) {
            throw new IllegalArgumentException("table record: malformed or of unknown version");
        }
        int nameAt = bytes[0] == WITHOUT_POLICIES ? HEADER_BYTES : HEADER_BYTES + Integer.BYTES;
        int nameEnd = bytes[0] == WITHOUT_POLICIES ? bytes.length : nameAt + nameLength(bytes);
        return new TableRecord(
                TextCodec.decode(bytes, nameAt, nameEnd - nameAt),
                new ObjectId(ByteBuffer.wrap(bytes, 2, Long.BYTES).getLong()),
                bytes[1] == 1 ? TableRecord.State.LIVE : TableRecord.State.DELETING,
                policies(bytes, nameEnd));
    }

    private static int nameLength(byte[] bytes) {
        int left = bytes.length - HEADER_BYTES - Integer.BYTES;
        int length = left < 0 ? -1 : ByteBuffer.wrap(bytes, HEADER_BYTES, Integer.BYTES).getInt();
        if (length < 0 || length > left) {
            throw new IllegalArgumentException("table record: name cut short");
        }
        return length;
    }

    private static List<AccessPolicy> policies(byte[] bytes, int from) {
        try {
            return AccessPolicyCodec.fromProto(
                    AccessPolicies.parser().parseFrom(bytes, from, bytes.length - from));
        } catch (InvalidProtocolBufferException malformed) {
            throw new IllegalArgumentException("table record: policies malformed", malformed);
        }
    }
}

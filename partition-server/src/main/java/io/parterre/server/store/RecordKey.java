package io.parterre.server.store;

import io.parterre.range.RangeId;
import java.nio.ByteBuffer;

/**
 * Keys of change records: {@code 0x00 0xFF rangeId(8) kind(1)}, and for a record {@code index(8)
 * from(4) part(4)}. These keys follow all local rows, whose range ids are positive, and precede all
 * data. Code that iterates or removes a replica's own rows therefore meets none of them. Stateless;
 * safe for any thread.
 */
public final class RecordKey {
    private static final byte MARK = (byte) 0xFF;
    private static final byte BEGUN = 0;
    private static final byte TRIMMED = 1;
    private static final byte RECORD = 2;
    private static final byte CLOSED = 3;
    private static final int PREFIX_BYTES = 2 + Long.BYTES + 1;
    private static final int RECORD_BYTES = PREFIX_BYTES + Long.BYTES + 2 * Integer.BYTES;

    private RecordKey() {}

    private static ByteBuffer key(long rangeId, byte kind, int bytes) {
        return ByteBuffer.allocate(bytes).put(LocalKey.TAG).put(MARK).putLong(rangeId).put(kind);
    }

    /** Returns the lower bound of all these keys. */
    static byte[] first() {
        return new byte[] {LocalKey.TAG, MARK};
    }

    /** Returns the upper bound of all these keys, exclusive. */
    static byte[] last() {
        return LocalKey.FIRST_DATA.toBytes();
    }

    /** Returns the key of the node's {@link RecordSession}. */
    static byte[] session() {
        return key(0, BEGUN, PREFIX_BYTES).array();
    }

    /** Returns the key of the range's {@link RecordsBegun}. */
    public static byte[] begun(RangeId rangeId) {
        return key(rangeId.value(), BEGUN, PREFIX_BYTES).array();
    }

    /**
     * Returns the key of a span of entries that was recorded before a copy replaced the replica.
     */
    static byte[] closed(RangeId rangeId, long afterIndex) {
        return key(rangeId.value(), CLOSED, PREFIX_BYTES + Long.BYTES).putLong(afterIndex).array();
    }

    /** Returns whether the key is that of a closed span of the range. */
    static boolean isClosedOf(byte[] key, RangeId rangeId) {
        return key.length == PREFIX_BYTES + Long.BYTES
                && key[0] == LocalKey.TAG
                && key[1] == MARK
                && key[PREFIX_BYTES - 1] == CLOSED
                && rangeId(key) == rangeId.value();
    }

    /** Returns the key of the index up to which records of the range were dropped. */
    static byte[] trimmed(RangeId rangeId) {
        return key(rangeId.value(), TRIMMED, PREFIX_BYTES).array();
    }

    /** Returns the lower bound of the keys of the next range. */
    static byte[] ofNextRange(long rangeId) {
        return key(rangeId + 1, BEGUN, PREFIX_BYTES).array();
    }

    /**
     * Returns the key of a record.
     *
     * @param from number of the entry's commands that were applied before
     * @param part number of the record among those of the same commands
     */
    public static byte[] record(RangeId rangeId, long index, int from, int part) {
        return key(rangeId.value(), RECORD, RECORD_BYTES)
                .putLong(index)
                .putInt(from)
                .putInt(part)
                .array();
    }

    /** Returns the lower bound of the records of later entries. */
    static byte[] after(RangeId rangeId, long index) {
        return record(rangeId, index + 1, 0, 0);
    }

    static byte[] firstRecord(RangeId rangeId) {
        return record(rangeId, 0, 0, 0);
    }

    static byte[] lastRecord(RangeId rangeId) {
        return key(rangeId.value(), (byte) (RECORD + 1), PREFIX_BYTES).array();
    }

    /** Returns whether the key is that of a record of the range. */
    static boolean isRecordOf(byte[] key, RangeId rangeId) {
        return key.length == RECORD_BYTES
                && key[0] == LocalKey.TAG
                && key[1] == MARK
                && rangeId(key) == rangeId.value();
    }

    static long rangeId(byte[] key) {
        return ByteBuffer.wrap(key, 2, Long.BYTES).getLong();
    }

    /** Returns the index in the key: of a record, its entry; of a span, the entry before it. */
    public static long index(byte[] key) {
        return ByteBuffer.wrap(key, PREFIX_BYTES, Long.BYTES).getLong();
    }
}

package io.parterre.server.store;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The point since which a range is recorded on a node: {@code epoch(8) afterIndex(8)}. Immutable.
 *
 * @param epoch epoch of the node's {@link RecordSession}; in another epoch the row does not count
 * @param afterIndex all later entries that are applied are recorded
 */
public record RecordsBegun(long epoch, long afterIndex) {
    public byte[] encode() {
        return ByteBuffer.allocate(2 * Long.BYTES).putLong(epoch).putLong(afterIndex).array();
    }

    static RecordsBegun decode(byte[] row) {
        ByteBuffer in = ByteBuffer.wrap(row);
        return new RecordsBegun(in.getLong(), in.getLong());
    }

    /** Returns the stored value, if it is of this epoch. */
    static Optional<RecordsBegun> of(Optional<byte[]> row, long epoch) {
        return row.map(RecordsBegun::decode).filter(begun -> begun.epoch() == epoch && epoch > 0);
    }
}

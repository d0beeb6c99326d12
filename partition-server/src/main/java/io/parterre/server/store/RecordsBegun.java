package io.parterre.server.store;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Since when a range is recorded on a node: {@code epoch(8) afterIndex(8)}.
 *
 * @param epoch of the node's {@link RecordSession}; with another one it does not count
 * @param afterIndex all entries after it, as far as they are applied, are recorded
 */
public record RecordsBegun(long epoch, long afterIndex) {
    public byte[] encode() {
        return ByteBuffer.allocate(2 * Long.BYTES).putLong(epoch).putLong(afterIndex).array();
    }

    static RecordsBegun decode(byte[] row) {
        ByteBuffer in = ByteBuffer.wrap(row);
        return new RecordsBegun(in.getLong(), in.getLong());
    }

    /** As stored, if it is of this epoch. */
    static Optional<RecordsBegun> of(Optional<byte[]> row, long epoch) {
        return row.map(RecordsBegun::decode).filter(begun -> begun.epoch() == epoch && epoch > 0);
    }
}

package io.parterre.server.raft;

import io.parterre.range.RangeId;
import io.parterre.server.store.ServerStore;
import java.io.IOException;
import java.util.zip.CRC32C;

/**
 * What a replica holds, in short: its rows, data and own, at the position up to which it is
 * applied. Two replicas at one position must have the same.
 */
public record RowsDigest(AppliedPosition applied, long rows, long checksum) {
    public static RowsDigest of(ServerStore store, RangeId rangeId) throws IOException {
        CRC32C checksum = new CRC32C();
        long[] rows = new long[1];
        try (ReplicaCopy copy = ReplicaCopy.open(store, rangeId, position -> {})) {
            copy.forEachRow(
                    (key, keyLength, value, valueLength) -> {
                        checksum.update(key, 0, keyLength);
                        checksum.update(value, 0, valueLength);
                        rows[0]++;
                    });
            return new RowsDigest(copy.applied(), rows[0], checksum.getValue());
        }
    }
}

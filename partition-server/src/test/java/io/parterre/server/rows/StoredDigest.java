package io.parterre.server.rows;

import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.compare.Digest;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreSnapshot;
import java.io.IOException;

/** Digest of a replica's rows, with the position up to which they are applied. */
public record StoredDigest(AppliedPosition applied, Digest digest) {
    /** Of the rows as they are now. */
    public static StoredDigest of(ServerStore store, RangeId rangeId) throws IOException {
        try (StoreSnapshot snapshot = store.snapshot()) {
            HostedRange range = StoredReplica.range(snapshot, rangeId);
            AppliedPosition applied = StoredReplica.applied(snapshot, rangeId);
            return new StoredDigest(applied, RowsDigest.of(snapshot, range, bytes -> {}));
        }
    }
}

package io.parterre.server.rpc;

import com.google.protobuf.ByteString;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.Scan;

/** Which keys a read is about. Stateless; safe for any thread. */
final class KeysAsked {
    private KeysAsked() {}

    /**
     * Of which account, as the prefix of its keys: space and account. Shorter where the key is, as
     * of a scan over all accounts.
     */
    static ByteString account(RangeRequest request) {
        ByteString key =
                request.hasScan() ? request.getScan().getStart() : request.getReadRow().getKey();
        return key.substring(0, Math.min(key.size(), 1 + Long.BYTES));
    }

    /** Key of a row to be read. */
    static KeyRange ofRead(RangeRequest request) {
        return KeyRange.ofKey(Key.wrap(request.getReadRow().getKey().toByteArray()));
    }

    /**
     * Interval to be scanned.
     *
     * @throws IllegalArgumentException if it is empty
     */
    static KeyRange ofScan(Scan scan) {
        return new KeyRange(
                Key.wrap(scan.getStart().toByteArray()),
                Key.wrap(scan.getEndExclusive().toByteArray()));
    }
}

package io.parterre.server.rpc;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.Scan;

/** Which keys a read is about. Stateless; safe for any thread. */
final class KeysAsked {
    private KeysAsked() {}

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

package io.parterre.frontend.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.parterre.key.Key;
import io.parterre.proto.range.ReadRow;

/** Keys as requests to ranges carry them; nothing is copied. Stateless; safe for any thread. */
final class KeyMessages {
    private KeyMessages() {}

    static ByteString bytes(Key key) {
        return UnsafeByteOperations.unsafeWrap(key.unsafeBytes());
    }

    /** A request that reads the row of this key. */
    static RangeBody readRow(Key key) {
        ReadRow row = ReadRow.newBuilder().setKey(bytes(key)).build();
        return (request, range) -> request.setReadRow(row);
    }
}

package io.parterre.frontend.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.parterre.key.Key;
import io.parterre.proto.range.ReadRow;

/** Converts keys for requests to ranges without copying them. Stateless; thread-safe. */
final class KeyMessages {
    private KeyMessages() {}

    static ByteString bytes(Key key) {
        return UnsafeByteOperations.unsafeWrap(key.unsafeBytes());
    }

    /** Returns a request that reads the row of this key. */
    static RangeBody readRow(Key key) {
        ReadRow row = ReadRow.newBuilder().setKey(bytes(key)).build();
        return (request, range) -> request.setReadRow(row);
    }
}

package io.parterre.frontend.client;

import io.parterre.frontend.store.EntityPosition;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyText;
import io.parterre.key.Scope;
import java.util.Arrays;

/** Converts positions in a table to keys and back. Pure; thread-safe. */
final class EntityPositions {
    private EntityPositions() {}

    static Key key(Scope scope, EntityPosition position) {
        return KeyCodec.entity(scope, position.partitionKey(), position.rowKey());
    }

    /**
     * Returns the first position whose key is not below {@code key}, which lies in the scope. Keys
     * of rows and of partitions are whole. A range may also be split within the bytes of a
     * PartitionKey; then the position is that of the smallest PartitionKey at or above the key.
     */
    static EntityPosition atOrAfter(Scope scope, Key key) {
        byte[] bytes = key.unsafeBytes();
        if (key.compareTo(KeyCodec.scope(scope)) <= 0) {
            return EntityPosition.FIRST;
        }
        int partitionEnd = endOfText(bytes, Scope.LENGTH_BYTES);
        if (partitionEnd < 0) {
            return EntityPosition.startOf(smallestText(bytes, Scope.LENGTH_BYTES));
        }
        String partitionKey =
                KeyText.decode(Arrays.copyOfRange(bytes, Scope.LENGTH_BYTES, partitionEnd));
        int rowEnd = endOfText(bytes, partitionEnd);
        String rowKey =
                rowEnd < 0
                        ? smallestText(bytes, partitionEnd)
                        : KeyText.decode(Arrays.copyOfRange(bytes, partitionEnd, rowEnd));
        EntityPosition position = new EntityPosition(partitionKey, rowKey);
        // Bytes after a whole key make the key greater than this row's own key.
        return rowEnd >= 0 && rowEnd < bytes.length ? position.next() : position;
    }

    /**
     * Returns the offset after the text that starts at {@code from}; -1 if the text does not end.
     */
    private static int endOfText(byte[] bytes, int from) {
        for (int at = from; at + 1 < bytes.length; at++) {
            if (bytes[at] == 0) {
                if (bytes[at + 1] == 1) {
                    return at + 2;
                }
                at++;
            }
        }
        return -1;
    }

    /**
     * Returns the smallest string whose encoded form is not below these bytes, which do not end a
     * text.
     */
    private static String smallestText(byte[] bytes, int from) {
        byte[] text = Arrays.copyOfRange(bytes, from, bytes.length + 4);
        int end = bytes.length - from;
        int last = startOfLastUnit(text, end);
        int first = last < end ? text[last] & 0xFF : 0x80;
        if (last < end && first == 0 && last + 1 == end) {
            // The last byte begins an escape or the end of the text; the end is the smaller of the
            // two.
            end = last;
        } else if (first >= 0xC0) {
            int whole = last + (first < 0xE0 ? 2 : 3);
            for (; end < whole; end++) {
                // After E0 the second byte starts at A0, because a lower one would allow a shorter
                // encoding.
                text[end] = (byte) (first == 0xE0 && end == last + 1 ? 0xA0 : 0x80);
            }
        }
        text[end] = 0;
        text[end + 1] = 1;
        return KeyText.decode(Arrays.copyOf(text, end + 2));
    }

    private static int startOfLastUnit(byte[] text, int end) {
        int at = 0;
        int last = end;
        while (at < end) {
            last = at;
            int first = text[at] & 0xFF;
            at += first == 0 ? 2 : first < 0x80 ? 1 : first < 0xE0 ? 2 : 3;
        }
        return last;
    }
}

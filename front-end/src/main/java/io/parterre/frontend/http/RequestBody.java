package io.parterre.frontend.http;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * A body that is arriving: bounded by the server's limit, its memory taken from the account before
 * it is allocated. Owned by one event loop.
 */
final class RequestBody {
    private static final byte[] EMPTY = new byte[0];

    /** Allocated for a body before its first byte has arrived; most bodies are no longer. */
    private static final int FIRST_BYTES_MAX = 64 * 1_024;

    private final RequestCharge charge;
    private final int bytesMax;

    /**
     * Factor by which room grows if the length is known. The body then grows less often, and
     * occupies at most four times the bytes that have arrived.
     */
    private static final long GROWTH_IF_ANNOUNCED = 4;

    /** Factor if the length is unknown, because none of the room may be needed. */
    private static final long GROWTH = 2;

    /** Length of the body if it is known, else its limit. */
    private int lengthMax;

    private long growth = GROWTH;

    private byte[] bytes = EMPTY;
    private int size;

    /** Result of adding bytes. */
    enum Added {
        DONE,
        TOO_LARGE,
        REFUSED
    }

    RequestBody(RequestCharge charge, int bytesMax) {
        this.charge = charge;
        this.bytesMax = bytesMax;
        this.lengthMax = bytesMax;
    }

    /**
     * Makes room for the beginning of a body whose length is known. Only for the beginning: a
     * client that announces megabytes and sends nothing must not keep others from sending theirs.
     */
    Added expect(long length) {
        if (length > bytesMax) {
            return Added.TOO_LARGE;
        }
        lengthMax = length == 0 ? bytesMax : (int) length;
        growth = length == 0 ? GROWTH : GROWTH_IF_ANNOUNCED;
        return grow((int) Math.min(length, FIRST_BYTES_MAX));
    }

    Added add(ByteBuf part) {
        int more = part.readableBytes();
        if (more > bytesMax - size) {
            return Added.TOO_LARGE;
        }
        if (size + more > bytes.length) {
            long wanted = Math.min(lengthMax, Math.max(1_024L, bytes.length * growth));
            Added grown = grow((int) Math.max(size + more, wanted));
            if (grown != Added.DONE) {
                return grown;
            }
        }
        part.readBytes(bytes, size, more);
        size += more;
        return Added.DONE;
    }

    private Added grow(int capacity) {
        if (!charge.tryTakeBody(capacity - bytes.length)) {
            return Added.REFUSED;
        }
        bytes = capacity == 0 ? EMPTY : Arrays.copyOf(bytes, capacity);
        return Added.DONE;
    }

    byte[] toBytes() {
        return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    }
}

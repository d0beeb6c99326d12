package io.parterre.bench.load;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** An answer as read. Its body is in a reused array, valid until the next request. */
public final class Answer {
    private int status;
    private byte[] body = new byte[0];
    private int bodyLength;
    private String nextPartitionKey = "";
    private String nextRowKey = "";

    void reset() {
        status = 0;
        bodyLength = 0;
        nextPartitionKey = "";
        nextRowKey = "";
    }

    void setStatus(int newStatus) {
        status = newStatus;
    }

    void setNextPartitionKey(String token) {
        nextPartitionKey = token;
    }

    void setNextRowKey(String token) {
        nextRowKey = token;
    }

    void append(byte[] bytes, int offset, int count) {
        if (body.length - bodyLength < count) {
            body = Arrays.copyOf(body, Math.max(2 * body.length, bodyLength + count));
        }
        System.arraycopy(bytes, offset, body, bodyLength, count);
        bodyLength += count;
    }

    public int status() {
        return status;
    }

    /** Returns the array of the body, valid up to {@link #bodyLength}. */
    public byte[] body() {
        return body;
    }

    public int bodyLength() {
        return bodyLength;
    }

    /** Returns {@code x-ms-continuation-NextPartitionKey}; empty string if the answer has none. */
    public String nextPartitionKey() {
        return nextPartitionKey;
    }

    /** Returns {@code x-ms-continuation-NextRowKey}; empty string if the answer has none. */
    public String nextRowKey() {
        return nextRowKey;
    }

    /** Returns how often a text occurs in the body. */
    public int count(String ascii) {
        byte[] wanted = ascii.getBytes(StandardCharsets.US_ASCII);
        int found = 0;
        int at = 0;
        while (at + wanted.length <= bodyLength) {
            if (Arrays.equals(body, at, at + wanted.length, wanted, 0, wanted.length)) {
                found++;
                at += wanted.length;
            } else {
                at += step(wanted, body[at + wanted.length - 1]);
            }
        }
        return found;
    }

    /**
     * Returns the least distance to the next possible position, by the byte under the last wanted
     * one.
     */
    private static int step(byte[] wanted, byte last) {
        for (int back = 1; back < wanted.length; back++) {
            if (wanted[wanted.length - 1 - back] == last) {
                return back;
            }
        }
        return wanted.length;
    }

    /** Returns the status and the beginning of the body, for people. */
    @Override
    public String toString() {
        return status
                + " "
                + new String(body, 0, Math.min(bodyLength, 300), StandardCharsets.UTF_8);
    }
}

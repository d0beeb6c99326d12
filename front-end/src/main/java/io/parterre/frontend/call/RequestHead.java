package io.parterre.frontend.call;

import java.net.InetAddress;

/**
 * The head of a request, or the readable part of a malformed one.
 *
 * @param method verb of the request line, as sent; empty if it was not read
 * @param target request target as sent, signatures included; empty if it was not read
 */
public record RequestHead(String method, String target, HeaderList headers, InetAddress remote) {
    /**
     * Returns the approximate size of the head on the wire. The size is not exact because a client
     * may send other whitespace.
     */
    public int sizeBytes() {
        int size = method.length() + target.length() + " HTTP/1.1\r\n ".length() + "\r\n".length();
        for (HeaderList.Header each : headers.headers()) {
            size += each.name().length() + each.value().length() + ": \r\n".length();
        }
        return size;
    }
}

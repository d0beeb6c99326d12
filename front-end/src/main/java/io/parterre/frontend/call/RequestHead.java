package io.parterre.frontend.call;

import java.net.InetAddress;

/**
 * The head of a request, or what there is of one that could not be read.
 *
 * @param method verb of the request line, as sent; empty if it was not read
 * @param target request target as sent, signatures included; empty if it was not read
 */
public record RequestHead(String method, String target, HeaderList headers, InetAddress remote) {
    /** Size of the head on the wire, about: a client may send it with other blanks. */
    public int sizeBytes() {
        int size = method.length() + target.length() + " HTTP/1.1\r\n ".length() + "\r\n".length();
        for (HeaderList.Header each : headers.headers()) {
            size += each.name().length() + each.value().length() + ": \r\n".length();
        }
        return size;
    }
}

package io.parterre.frontend.call;

import java.net.InetAddress;

/**
 * A call as it came over the wire, body complete.
 *
 * @param method verb of the request line, as sent
 * @param target request target as sent: signatures cover its path byte for byte
 * @param body all of it, within the server's limit; nobody may change it
 * @param remote the client's address
 * @param secure whether it came over TLS
 * @param memory who pays for what it holds
 * @param notes what becomes of it
 */
@SuppressWarnings("ArrayRecordComponent") // A message, never compared.
public record HttpCall(
        String method,
        String target,
        HeaderList headers,
        byte[] body,
        InetAddress remote,
        boolean secure,
        CallMemory memory,
        CallNotes notes) {
    /** A call that nothing is noted of. */
    public HttpCall(
            String method,
            String target,
            HeaderList headers,
            byte[] body,
            InetAddress remote,
            boolean secure,
            CallMemory memory) {
        this(method, target, headers, body, remote, secure, memory, CallNotes.IGNORED);
    }

    /** The target up to its question mark, not decoded. */
    public String rawPath() {
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }

    /** The target after its question mark, not decoded; empty if there is none. */
    public String rawQuery() {
        int query = target.indexOf('?');
        return query < 0 ? "" : target.substring(query + 1);
    }
}

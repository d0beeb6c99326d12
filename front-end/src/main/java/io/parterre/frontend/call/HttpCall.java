package io.parterre.frontend.call;

import java.net.InetAddress;

/**
 * A call as the client sent it, with its complete body.
 *
 * @param method verb of the request line, as sent
 * @param target request target as sent, because signatures cover its path byte for byte
 * @param body the whole body, within the server's limit; never modified
 * @param remote the client's address
 * @param secure whether the call came over TLS
 * @param memory who is charged for the memory of the call
 * @param notes notes on the course of the call
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
        CallNotes notes)
        implements Targeted {
    /** Creates a call of which no notes are kept. */
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
}

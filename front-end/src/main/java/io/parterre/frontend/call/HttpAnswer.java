package io.parterre.frontend.call;

/**
 * An answer ready for the wire. The server adds framing ({@code Content-Length} or chunks), and
 * {@code Date} and {@code Server} unless they are given.
 *
 * @param reason reason phrase of the status line
 * @param body may be empty; never modified
 */
@SuppressWarnings("ArrayRecordComponent") // A message, never compared.
public record HttpAnswer(int status, String reason, HeaderList headers, byte[] body) {
    /**
     * Header of ours with the reason of a 503, as the text of a {@link
     * io.parterre.error.BusyReason}. The name is one that neither the service nor HTTP is likely to
     * use.
     */
    public static final String BUSY_REASON = "parterre-busy-reason";

    /** Returns the same answer with other headers. */
    public HttpAnswer with(HeaderList others) {
        return new HttpAnswer(status, reason, others, body);
    }
}

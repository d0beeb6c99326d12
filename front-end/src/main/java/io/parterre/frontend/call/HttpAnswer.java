package io.parterre.frontend.call;

/**
 * An answer ready for the wire. The server adds framing ({@code Content-Length} or chunks), {@code
 * Date} and {@code Server} unless they are given.
 *
 * @param reason reason phrase of the status line
 * @param body may be empty; nobody may change it
 */
@SuppressWarnings("ArrayRecordComponent") // A message, never compared.
public record HttpAnswer(int status, String reason, HeaderList headers, byte[] body) {
    /**
     * Header of ours, and no name that the service or HTTP could come to use: why the answer is
     * 503, as the text of a {@link io.parterre.error.BusyReason}.
     */
    public static final String BUSY_REASON = "parterre-busy-reason";

    /** The same with other headers. */
    public HttpAnswer with(HeaderList others) {
        return new HttpAnswer(status, reason, others, body);
    }
}

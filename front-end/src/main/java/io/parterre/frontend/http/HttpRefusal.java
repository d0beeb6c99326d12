package io.parterre.frontend.http;

import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;

/** Answers that the server itself gives to a request, without asking the handler. */
public enum HttpRefusal {
    MALFORMED(400, "Bad Request", "InvalidInput", "The request is not well-formed HTTP."),
    TARGET_TOO_LONG(
            414, "URI Too Long", "RequestUrlFailedToParse", "The request line is too long."),
    HEADERS_TOO_LARGE(
            431,
            "Request Header Fields Too Large",
            "InvalidHeaderValue",
            "The request headers are too long."),
    BODY_TOO_LARGE(
            413,
            "Request Entity Too Large",
            "RequestBodyTooLarge",
            "The request body is too large and exceeds the maximum permissible limit."),
    BODY_TOO_SLOW(
            408,
            "Request Timeout",
            "OperationTimedOut",
            "The request body did not arrive within the permitted time."),
    EXPECTATION_UNKNOWN(
            417, "Expectation Failed", "InvalidHeaderValue", "The expectation cannot be met."),
    VERSION_NOT_SUPPORTED(
            505, "HTTP Version Not Supported", "InvalidInput", "The server speaks HTTP/1.1."),
    BUSY(503, "Service Unavailable", "ServerBusy", "The server is busy."),
    TIMED_OUT(
            500,
            "Internal Server Error",
            "OperationTimedOut",
            "The operation could not be completed within the permitted time."),
    FAILED(
            500,
            "Internal Server Error",
            "InternalError",
            "The server encountered an internal error. Please retry the request.");

    /** Expresses a refusal in the terms of a protocol. Called on the event loop. */
    @FunctionalInterface
    public interface Wording {
        /**
         * Returns the answer to send. The server adds framing and {@code Connection}.
         *
         * @param request headers of the refused request; empty if they could not be read
         */
        HttpAnswer answer(HttpRefusal refusal, HeaderList request);
    }

    private final int status;
    private final String reason;
    private final String code;
    private final String text;

    HttpRefusal(int status, String reason, String code, String text) {
        this.status = status;
        this.reason = reason;
        this.code = code;
        this.text = text;
    }

    public int status() {
        return status;
    }

    /** Returns the standard reason phrase, for a wording that has none of its own. */
    public String reason() {
        return reason;
    }

    /** Returns the wire name of the error code that fits best. */
    public String code() {
        return code;
    }

    public String text() {
        return text;
    }
}

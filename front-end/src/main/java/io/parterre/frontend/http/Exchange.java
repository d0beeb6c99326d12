package io.parterre.frontend.http;

import io.netty.handler.codec.http.HttpMethod;
import io.parterre.frontend.call.CallNotes;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;

/** A request of a connection and, once it is complete, its answer. Owned by one event loop. */
final class Exchange {
    /** Whether the request is a HEAD: its answer has no body. */
    final boolean head;

    /** Whether an HTTP/1.0 client has to be told that the connection stays open. */
    final boolean announceKeepAlive;

    /** When the request began, by the event loop's ticker. */
    final long startedNanos;

    final HeaderList headers;

    /** The memory that the request makes the server hold. */
    final RequestCharge charge;

    final CallNotes notes;

    /**
     * Whether the request can only read. Then an answer that is too large may be replaced by a
     * refusal.
     */
    final boolean reads;

    /** Whether the connection ends with this answer. */
    boolean last;

    /**
     * Whether bytes of the client may be unread, so that closing at once would reset the
     * connection.
     */
    boolean unread;

    /** Whether the client waits for a 100 before it sends the request's body. */
    boolean continueOwed;

    /** Whether the client no longer waits for the answer. */
    boolean dropped;

    private HttpAnswer answer;

    /**
     * Creates an exchange at the beginning of its request.
     *
     * @param method determines whether the request is a HEAD or only reads
     */
    Exchange(
            HeaderList headers,
            HttpMethod method,
            boolean announceKeepAlive,
            long startedNanos,
            RequestCharge charge,
            CallNotes notes) {
        this.headers = headers;
        this.head = HttpMethod.HEAD.equals(method);
        this.reads = head || HttpMethod.GET.equals(method);
        this.charge = charge;
        this.notes = notes;
        this.announceKeepAlive = announceKeepAlive;
        this.startedNanos = startedNanos;
    }

    boolean answered() {
        return answer != null;
    }

    /** Sets the answer; called once. */
    void answer(HttpAnswer given) {
        answer = given;
    }

    HttpAnswer answer() {
        return answer;
    }
}

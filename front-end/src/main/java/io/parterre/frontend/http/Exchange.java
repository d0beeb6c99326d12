package io.parterre.frontend.http;

import io.netty.handler.codec.http.HttpMethod;
import io.parterre.frontend.call.CallNotes;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;

/** A request of a connection and, once there is one, its answer. Owned by one event loop. */
final class Exchange {
    /** Whether the request is a HEAD: its answer has no body. */
    final boolean head;

    /** Whether an HTTP/1.0 client has to be told that the connection stays open. */
    final boolean announceKeepAlive;

    /** When it began, by the event loop's ticker. */
    final long startedNanos;

    final HeaderList headers;

    /** What it makes the server hold. */
    final RequestCharge charge;

    final CallNotes notes;

    /** Whether its request can only have read: then an answer that is too much may be refused. */
    final boolean reads;

    /** Whether the connection ends with this answer. */
    boolean last;

    /** Whether bytes of the client may be left unread, so that closing at once would reset it. */
    boolean unread;

    /** The client waits for a 100 before it sends its body. */
    boolean continueOwed;

    /** Nobody waits for its answer any more. */
    boolean dropped;

    private HttpAnswer answer;

    /**
     * A request as it begins.
     *
     * @param method by which it is a HEAD, or a reading one
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

    /** Takes its answer, the only one. */
    void answer(HttpAnswer given) {
        answer = given;
    }

    HttpAnswer answer() {
        return answer;
    }
}

package io.parterre.frontend.http;

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

    /** Whether the connection ends with this answer. */
    boolean last;

    /** Whether bytes of the client may be left unread, so that closing at once would reset it. */
    boolean unread;

    /** The client waits for a 100 before it sends its body. */
    boolean continueOwed;

    /** Bytes to give back to the budget once the answer is written. */
    int takenBytes;

    private HttpAnswer answer;

    Exchange(HeaderList headers, boolean head, boolean announceKeepAlive, long startedNanos) {
        this.headers = headers;
        this.head = head;
        this.announceKeepAlive = announceKeepAlive;
        this.startedNanos = startedNanos;
    }

    boolean answered() {
        return answer != null;
    }

    /** Takes the first answer; a later one, of a handler that was given up, is dropped. */
    boolean answer(HttpAnswer given) {
        if (answer != null) {
            return false;
        }
        answer = given;
        return true;
    }

    HttpAnswer answer() {
        return answer;
    }
}

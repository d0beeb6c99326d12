package io.parterre.chaos.client;

import java.util.List;
import java.util.Optional;

/** What came of one {@link Write}. */
public sealed interface Answer {
    /**
     * It happened, for good.
     *
     * @param etags one for each change, in order; none for a delete
     */
    record Acknowledged(List<Optional<String>> etags) implements Answer {
        public Acknowledged {
            etags = List.copyOf(etags);
        }
    }

    /** It did not happen: the server says that the request was wrong. */
    record Refused(int status, String body) implements Answer {}

    /** The server could not do it now. It may have happened. */
    record Failed(int status, String body) implements Answer {}

    /** Nothing, or not all of an answer, came back. It may have happened. */
    record Unanswered(String why) implements Answer {}
}

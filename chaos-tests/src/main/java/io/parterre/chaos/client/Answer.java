package io.parterre.chaos.client;

import java.util.List;
import java.util.Optional;

/** Outcome of one {@link Write}. */
public sealed interface Answer {
    /**
     * The write happened permanently.
     *
     * @param etags one for each change, in order; empty for a delete
     */
    record Acknowledged(List<Optional<String>> etags) implements Answer {
        public Acknowledged {
            etags = List.copyOf(etags);
        }
    }

    /** The write did not happen: the server answered that the request was wrong. */
    record Refused(int status, String body) implements Answer {}

    /** The server could not execute the write now. It may have happened. */
    record Failed(int status, String body) implements Answer {}

    /** No answer arrived, or not all of it. The write may have happened. */
    record Unanswered(String why) implements Answer {}
}

package io.parterre.chaos.client;

/** Outcome of one read. */
public sealed interface Reading<T> {
    /** The read returned what was stored. */
    record Answered<T>(T value) implements Reading<T> {}

    /** The server did not execute the read. */
    record Failed<T>(int status, String body) implements Reading<T> {}

    /** No answer arrived, or not all of it. */
    record Unanswered<T>(String why) implements Reading<T> {}
}

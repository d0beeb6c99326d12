package io.parterre.chaos.client;

/** What came of one read. */
public sealed interface Reading<T> {
    /** What was stored. */
    record Answered<T>(T value) implements Reading<T> {}

    /** The server did not do it. */
    record Failed<T>(int status, String body) implements Reading<T> {}

    /** Nothing, or not all of an answer, came back. */
    record Unanswered<T>(String why) implements Reading<T> {}
}

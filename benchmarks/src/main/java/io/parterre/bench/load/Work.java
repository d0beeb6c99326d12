package io.parterre.bench.load;

/**
 * Generates the requests of one run's connections, and checks the answers. Confined to the loop's
 * thread; connections are numbered from 0 and each has at most one outstanding request.
 */
public interface Work {
    /**
     * Writes the next request of a connection.
     *
     * @return false if no request is left; then nothing was written
     */
    boolean next(int connection, RequestWriter requests, ByteText out);

    /**
     * Checks an answer.
     *
     * @return number of entities that it read, wrote or scanned; may be 0
     * @throws UnexpectedAnswer if it is not the expected one
     */
    long check(int connection, Answer answer) throws UnexpectedAnswer;

    /** The request was lost with its connection; a walk of the connection starts again. */
    default void lost(int connection) {}
}

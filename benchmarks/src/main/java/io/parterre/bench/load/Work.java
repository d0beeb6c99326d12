package io.parterre.bench.load;

/**
 * What the connections of one run ask for, and what a good answer is. Called by the loop's thread
 * alone; connections are numbered from 0 and each has one request outstanding at most.
 */
public interface Work {
    /**
     * Writes the next request of a connection.
     *
     * @return false if there is nothing left to ask; then nothing was written
     */
    boolean next(int connection, RequestWriter requests, ByteText out);

    /**
     * Judges an answer.
     *
     * @return entities read, written or scanned by it; may be 0
     * @throws UnexpectedAnswer if it is not the one that was due
     */
    long check(int connection, Answer answer) throws UnexpectedAnswer;

    /** The request was lost with its connection; whatever the connection walked starts again. */
    default void lost(int connection) {}
}

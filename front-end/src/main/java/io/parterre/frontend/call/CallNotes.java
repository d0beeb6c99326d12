package io.parterre.frontend.call;

/**
 * Notes on the course of a request, taken where each fact becomes known, for logs and meters.
 * Thread-safe; notes after the end have no effect.
 */
public interface CallNotes {
    /** For requests of which no notes are kept. */
    CallNotes IGNORED =
            new CallNotes() {
                @Override
                public boolean areKept() {
                    return false;
                }

                @Override
                public Phase enter(Phase next) {
                    return next;
                }

                @Override
                public void received(int bodyBytes) {}

                @Override
                public void caller(String account, String key, String signature) {}

                @Override
                public void written(String table, String partitionKey) {}

                @Override
                public void operation(String name, String account, String object) {}

                @Override
                public void trace(String traceId) {}

                @Override
                public void answered(HttpAnswer answer, int headBytes, int bodyBytes) {}

                @Override
                public void ended(boolean taken) {}
            };

    /** Phases in which a request spends its time, in the order of most requests. */
    enum Phase {
        /** From the request's head to the end of its body. */
        READ,
        /** Waiting until the front end knows the cluster. */
        MAP,
        /** Verifying a signature or a token, without the reading of stored policies. */
        AUTHENTICATE,
        /** Reading options, format and body; assembling pages and entities. */
        WORK,
        /** Waiting for a server's answer: both network directions, queue, log and apply. */
        RANGE,
        /**
         * A backoff before another attempt because of a missing leader, a busy server or a merge.
         */
        RANGE_WAIT,
        /** From the answer to its last byte that the operating system takes. */
        SEND
    }

    /** Creates notes, one for each request of a server. */
    interface Source {
        /** Creates no notes. */
        Source NONE = head -> IGNORED;

        CallNotes begin(RequestHead head);
    }

    /**
     * Returns whether the notes are used. If not, callers need not compute what is costly to find
     * out.
     */
    boolean areKept();

    /**
     * Starts this phase: from now on time counts for it.
     *
     * @return the phase until now
     */
    Phase enter(Phase next);

    /** Notes that the whole request has arrived. */
    void received(int bodyBytes);

    /**
     * Notes the caller that a credential has proved.
     *
     * @param account as the directory names it
     * @param key number of the key that signed, with the prefix "key"; empty if no key did
     * @param signature fingerprint of an access signature; empty if there is none
     */
    void caller(String account, String key, String signature);

    /**
     * Notes the partition that a write's body names. In a batch all writes name the same partition.
     */
    void written(String table, String partitionKey);

    /**
     * Notes the operation asked for.
     *
     * @param name as Storage Analytics names operations
     * @param account account whose tables are asked for, as the address names it
     * @param object path of the resource, as sent
     */
    void operation(String name, String account, String object);

    /** Notes that the request belongs to this trace, which is recorded. */
    void trace(String traceId);

    /** Notes that the answer is about to be sent. */
    void answered(HttpAnswer answer, int headBytes, int bodyBytes);

    /**
     * Ends the notes.
     *
     * @param taken whether the operating system has taken all of the answer; false if the client
     *     disconnected before
     */
    void ended(boolean taken);
}

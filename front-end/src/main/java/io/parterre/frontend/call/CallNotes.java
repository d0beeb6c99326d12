package io.parterre.frontend.call;

/**
 * What becomes of a request, noted where it becomes known, for logs and meters. Safe for any
 * thread; notes after the end are without effect.
 */
public interface CallNotes {
    /** For requests that nothing is noted of. */
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

    /** Where the time of a request goes, in the order in which most requests come by. */
    enum Phase {
        /** From its head to the end of its body. */
        READ,
        /** The front end does not know the cluster yet. */
        MAP,
        /** Signature or token, stored policies not counted. */
        AUTHENTICATE,
        /** Options, format, body; pages and entities put together. */
        WORK,
        /** A server was asked and has not answered: both ways, queue, log, apply. */
        RANGE,
        /** A pause before another attempt: no leader, a busy server, a merge. */
        RANGE_WAIT,
        /** From the answer to its last byte, as the system takes it. */
        SEND
    }

    /** Begins notes, one for each request of a server. */
    interface Source {
        /** Notes nothing. */
        Source NONE = head -> IGNORED;

        CallNotes begin(RequestHead head);
    }

    /** Whether anybody reads them; else what is costly to find out need not be noted. */
    boolean areKept();

    /**
     * From here on the time counts for this phase.
     *
     * @return the phase until now
     */
    Phase enter(Phase next);

    /** The whole request is there. */
    void received(int bodyBytes);

    /**
     * A credential has proved who calls.
     *
     * @param account as the directory names it
     * @param key which key signed, as "key" and its number; empty: none did
     * @param signature fingerprint of an access signature; empty: there is none
     */
    void caller(String account, String key, String signature);

    /**
     * What a write names in its body, which may be a batch: then all of its writes name the same.
     */
    void written(String table, String partitionKey);

    /**
     * What is asked for.
     *
     * @param name as Storage Analytics names operations
     * @param account whose tables they are, as the address names it
     * @param object path of the resource, as sent
     */
    void operation(String name, String account, String object);

    /** It is part of this trace, which is recorded. */
    void trace(String traceId);

    /** The answer is about to be sent. */
    void answered(HttpAnswer answer, int headBytes, int bodyBytes);

    /**
     * Nothing more comes.
     *
     * @param taken whether the system has taken all of the answer; else the client went away
     */
    void ended(boolean taken);
}

package io.parterre.server.propose;

/**
 * Told how far a command has come, for a trace. Safe for any thread; must not block. What happens
 * at other members is not told.
 */
public interface ProposalTrace {
    /** Nobody asks. */
    ProposalTrace NONE =
            new ProposalTrace() {
                @Override
                public void packed(int commands) {}

                @Override
                public void appended() {}

                @Override
                public void applying() {}

                @Override
                public void applied() {}
            };

    /**
     * It is part of an entry that is proposed now.
     *
     * @param commands of the entry
     */
    void packed(int commands);

    /** The entry is in this node's log, or about to be. */
    void appended();

    /** The entry is committed, and its turn has come. May be told again. */
    void applying();

    /** It has taken effect here. */
    void applied();
}

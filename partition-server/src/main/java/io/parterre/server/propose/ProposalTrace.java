package io.parterre.server.propose;

/**
 * Receives the progress of a command, for a trace. Safe for any thread; must not block. Progress at
 * other members is not reported.
 */
public interface ProposalTrace {
    /** Ignores all progress. */
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
     * The command is part of an entry that is proposed now.
     *
     * @param commands number of commands in the entry
     */
    void packed(int commands);

    /** The entry is in this node's log, or about to be. */
    void appended();

    /** The entry is committed and applied next. May be called again. */
    void applying();

    /** The command has taken effect on this node. */
    void applied();
}

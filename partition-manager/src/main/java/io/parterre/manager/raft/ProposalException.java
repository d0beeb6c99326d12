package io.parterre.manager.raft;

/**
 * A proposal without an outcome: it may have been applied, or may still be. Every command can be
 * proposed again, so callers need not know which.
 */
public final class ProposalException extends Exception {
    /** Creates an exception without a cause: no proposal was made, or it has no answer. */
    public ProposalException(String message) {
        super(message);
    }

    ProposalException(String message, Throwable cause) {
        super(message, cause);
    }
}

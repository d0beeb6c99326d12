package io.parterre.manager.raft;

/**
 * A proposal without an outcome: it may have been applied, or may yet be. Every command can be
 * proposed again, so callers need not know which.
 */
public final class ProposalException extends Exception {
    /** None was made, or there is no answer. */
    public ProposalException(String message) {
        super(message);
    }

    ProposalException(String message, Throwable cause) {
        super(message, cause);
    }
}

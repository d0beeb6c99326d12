package io.parterre.server.raft;

import io.parterre.error.BusyReason;
import io.parterre.server.propose.ProposalResult;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.protocol.exceptions.ResourceUnavailableException;

/**
 * The only rule for the meaning of a failed submission. Ratis answers {@code NotLeader} also for
 * entries that are in its log and may still commit, so the kind of error alone says nothing. What
 * counts is whether the append was begun. If not, nothing was written and never will be; if so, the
 * entry is in doubt.
 */
final class ProposalFailure {
    private ProposalFailure() {}

    static ProposalResult of(Throwable failure, boolean appended) {
        if (appended) {
            return new ProposalResult.InDoubt();
        }
        Throwable cause = unwrapped(failure);
        if (cause instanceof ResourceUnavailableException) {
            return new ProposalResult.Busy(BusyReason.RANGE_CAP);
        }
        if (cause instanceof NotLeaderException notLeader
                && notLeader.getSuggestedLeader() != null) {
            return new ProposalResult.NotLeader(
                    Optional.of(notLeader.getSuggestedLeader().getId().toString()));
        }
        // The replica starts, steps down, is closed, or is broken: another replica may do better.
        return new ProposalResult.NotLeader(Optional.empty());
    }

    private static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}

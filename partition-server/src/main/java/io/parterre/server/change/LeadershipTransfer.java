package io.parterre.server.change;

import io.parterre.range.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Whether a follower may be given leadership: while Ratis hands it over nothing is written, so it
 * must be about to have everything. Stateless; safe for any thread.
 */
final class LeadershipTransfer {
    /** Entries it may still lack; they are sent in well under an election timeout. */
    private static final long BEHIND_MAX = 100;

    private LeadershipTransfer() {}

    /** Why, or why not. */
    enum Verdict {
        READY,
        NOT_A_MEMBER,
        BEHIND,
        SILENT
    }

    /**
     * A verdict.
     *
     * @param appliedIndex of the leader
     * @param silentMax since its last answer
     */
    static Verdict of(
            NodeId target, List<FollowerState> followers, long appliedIndex, Duration silentMax) {
        Optional<FollowerState> found =
                followers.stream().filter(each -> each.nodeId().equals(target)).findFirst();
        if (found.isEmpty()) {
            return Verdict.NOT_A_MEMBER;
        }
        if (found.get().silent().compareTo(silentMax) > 0) {
            return Verdict.SILENT;
        }
        return found.get().matchIndex() < appliedIndex - BEHIND_MAX
                ? Verdict.BEHIND
                : Verdict.READY;
    }

    /** What to do when Ratis has said that a transfer failed. */
    enum Next {
        DONE,
        AGAIN,
        /** Leadership was given away, and nobody has been heard to have it. */
        WAIT,
        GIVE_UP
    }

    /**
     * What follows a failure. Ratis tells of one as well when leadership is away and the time was
     * over before the next leader was heard.
     *
     * @param leading whether this node leads and may be asked
     * @param other who else leads, as far as it knows
     * @param timeLeft whether anything may still be tried
     */
    static Next next(NodeId target, boolean leading, Optional<NodeId> other, boolean timeLeft) {
        if (other.isPresent() && other.get().equals(target)) {
            return Next.DONE;
        }
        if (!timeLeft || other.isPresent()) {
            return Next.GIVE_UP;
        }
        return leading ? Next.AGAIN : Next.WAIT;
    }
}

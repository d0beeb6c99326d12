package io.parterre.server.change;

import io.parterre.range.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Decides whether leadership may be transferred to a follower. While Ratis transfers leadership
 * nothing is written, so the follower must be about to have all entries. Stateless; safe for any
 * thread.
 */
final class LeadershipTransfer {
    /**
     * Number of entries that the follower may still lack; they are sent in well under an election
     * timeout.
     */
    private static final long BEHIND_MAX = 100;

    private LeadershipTransfer() {}

    /** Whether the follower may get leadership, or the reason why not. */
    enum Verdict {
        READY,
        NOT_A_MEMBER,
        BEHIND,
        SILENT
    }

    /**
     * Returns the verdict on a target.
     *
     * @param appliedIndex last entry that the leader has applied
     * @param silentMax longest time since the target's last answer
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

    /** What to do after Ratis has reported a failed transfer. */
    enum Next {
        DONE,
        AGAIN,
        /** This node no longer leads, and no other leader is known yet. */
        WAIT,
        GIVE_UP
    }

    /**
     * Decides what follows a failure. Ratis also reports a failure if leadership has ended but the
     * time was over before the next leader was heard.
     *
     * @param leading whether this node leads and may try again
     * @param other another leader, as far as this node knows
     * @param timeLeft whether there is time for another attempt
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

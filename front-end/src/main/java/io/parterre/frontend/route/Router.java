package io.parterre.frontend.route;

import io.parterre.error.BusyReason;
import io.parterre.error.ErrorCode;
import io.parterre.key.Key;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides where an attempt goes and what follows a setback. Stateless; thread-safe.
 *
 * <p>Rules: leader hints are followed at once, for a few hops, and an unreachable node is skipped
 * in the same way. After that, and after every other setback, there is a backoff that doubles. A
 * busy node's refusal goes to the client unless the requested backoff is short, because only the
 * client's backoff relieves the node. A range whose merge takes long is waited for like a range
 * without a leader. A write in doubt is retried until its deadline, whatever is answered meanwhile,
 * because only a repeat of its sequence can tell its outcome. If the deadline passes first, the
 * client gets {@code OPERATION_TIMED_OUT}, which claims nothing. {@code SERVER_BUSY} claims that
 * nothing was written.
 */
public record Router(RetryPolicy policy) {
    /**
     * Leaves enough time for an answer from a node that is only slow; an answer ends its reduced
     * patience.
     */
    private static final int SILENT_NODE_FRACTION = 8;

    /**
     * Returns the range that holds the key and the node to ask: the believed leader, else one
     * member after the other. Empty if the map has a hole there.
     */
    public Optional<Target> target(RangeMap map, Key key, Attempts attempts) {
        return map.find(key)
                .map(
                        range ->
                                new Target(
                                        range, node(range, map.leader(range.rangeId()), attempts)));
    }

    private static NodeId node(RangeDescriptor range, Optional<NodeId> leader, Attempts attempts) {
        List<NodeId> members = range.members();
        if (leader.isPresent()
                && members.contains(leader.get())
                && !leader.equals(attempts.avoid())) {
            return leader.get();
        }
        int avoided = attempts.avoid().map(members::indexOf).orElse(-1);
        return members.get((avoided + 1) % members.size());
    }

    /**
     * Returns the range that holds the key and the member to ask for a read that may be stale.
     * Empty if the map has a hole there.
     *
     * @param tried members asked before for the same read
     * @param silent nodes that did not answer recently
     * @param spread number of the read
     */
    public Optional<Target> anyMember(
            RangeMap map, Key key, Set<NodeId> tried, Set<NodeId> silent, long spread) {
        return map.find(key)
                .map(
                        range ->
                                new Target(
                                        range,
                                        MemberChoice.of(
                                                range.members(),
                                                map.leader(range.rangeId()),
                                                tried,
                                                silent,
                                                spread)));
    }

    /**
     * Returns the next step of a read that may be stale. Whatever keeps one member from answering,
     * the others are asked at once, for a few hops. After that the read continues like any other
     * request.
     *
     * @param attempts history before this setback
     * @param timeLeft time until the client's deadline
     * @param jitter 0 to 1
     */
    public NextStep afterStale(
            Setback setback, Attempts attempts, Duration timeLeft, double jitter) {
        boolean othersMayAnswer =
                !(setback instanceof Setback.Failed
                        || setback instanceof Setback.ScopeFenced
                        || setback instanceof Setback.Unrouted);
        if (othersMayAnswer && attempts.hops() < policy.hopsMax()) {
            return new NextStep.Retry(
                    attempts.hopAfter(setback, Optional.empty()), Duration.ZERO, false);
        }
        return after(setback, attempts, timeLeft, jitter);
    }

    /**
     * Returns how long an attempt waits before another node is asked. A node that has just been
     * silent for this long gets only a fraction of it: until the other members know that the node
     * hangs, they name it as the leader, and each request would wait for it again.
     *
     * @param attemptTimeout wait for a node that answers
     * @param silent whether the node has answered nothing since an attempt's time ended
     */
    public Duration silenceMax(Duration attemptTimeout, boolean silent) {
        return silent ? attemptTimeout.dividedBy(SILENT_NODE_FRACTION) : attemptTimeout;
    }

    /**
     * Returns the next step after a setback.
     *
     * @param attempts history before this setback
     * @param timeLeft time until the client's deadline
     * @param jitter 0 to 1
     */
    public NextStep after(Setback setback, Attempts attempts, Duration timeLeft, double jitter) {
        NextStep step = setback.match(new Decision(attempts, jitter));
        if (step instanceof NextStep.Retry retry && retry.delay().compareTo(timeLeft) >= 0) {
            return new NextStep.GiveUp(outOfTime(retry.attempts()));
        }
        return step;
    }

    /** Returns the error for a client whose deadline passes after nothing but setbacks. */
    public static ErrorCode outOfTime(Attempts attempts) {
        return attempts.inDoubt() ? ErrorCode.OPERATION_TIMED_OUT : ErrorCode.SERVER_BUSY;
    }

    private final class Decision implements Setback.Cases<NextStep> {
        private final Attempts before;
        private final double jitter;

        Decision(Attempts before, double jitter) {
            this.before = before;
            this.jitter = jitter;
        }

        @Override
        public NextStep notLeader(Setback.NotLeader setback) {
            boolean useful = setback.hint().isPresent() && !hints(setback, setback.asked());
            return useful && before.hops() < policy.hopsMax()
                    ? atOnce(setback, Optional.of(setback.asked()))
                    : later(setback, Optional.of(setback.asked()), true);
        }

        private boolean hints(Setback.NotLeader setback, NodeId node) {
            return setback.hint().equals(Optional.of(node));
        }

        @Override
        public NextStep staleRange(Setback.StaleRange setback) {
            if (!setback.learnt()) {
                // The node may lag behind: the manager or another member knows more.
                return later(setback, Optional.of(setback.asked()), true);
            }
            return before.hops() < policy.hopsMax()
                    ? atOnce(setback, Optional.empty())
                    : later(setback, Optional.empty(), false);
        }

        @Override
        public NextStep noData(Setback.NoData setback) {
            return later(setback, Optional.of(setback.asked()), false);
        }

        @Override
        public NextStep ageUnknown(Setback.AgeUnknown setback) {
            return later(setback, Optional.of(setback.asked()), false);
        }

        @Override
        public NextStep busy(Setback.Busy setback) {
            if (setback.why().equals(Optional.of(BusyReason.MERGE))) {
                // Not a matter of load: a member died during the merge, which is soon undone.
                return later(setback, Optional.empty(), false);
            }
            boolean worthWaiting =
                    before.busy() < policy.busyRetriesMax()
                            && setback.retryAfter().compareTo(policy.busyPatience()) <= 0;
            if (!worthWaiting && !before.inDoubt()) {
                return new NextStep.GiveUp(ErrorCode.SERVER_BUSY);
            }
            Attempts after = before.after(setback, Optional.empty());
            Duration own = policy.delay(after.setbacks(), jitter);
            return new NextStep.Retry(after, own.plus(setback.retryAfter()), false);
        }

        @Override
        public NextStep inDoubt(Setback.InDoubt setback) {
            return later(setback, Optional.of(setback.asked()), false);
        }

        @Override
        public NextStep scopeFenced(Setback.ScopeFenced setback) {
            // The write may have been applied before the fence, and must not be applied again to a
            // new table of the same name.
            return before.inDoubt()
                    ? new NextStep.GiveUp(ErrorCode.OPERATION_TIMED_OUT)
                    : new NextStep.ReadTableAgain();
        }

        @Override
        public NextStep failed(Setback.Failed setback) {
            return new NextStep.GiveUp(setback.code());
        }

        @Override
        public NextStep notSent(Setback.NotSent setback) {
            // Known at once: the node cannot be reached, and another one may be.
            Optional<NodeId> avoid = Optional.of(setback.asked());
            return before.hops() < policy.hopsMax()
                    ? new NextStep.Retry(before.hopAfter(setback, avoid), Duration.ZERO, true)
                    : later(setback, avoid, true);
        }

        @Override
        public NextStep connectionLost(Setback.ConnectionLost setback) {
            return later(setback, Optional.of(setback.asked()), false);
        }

        @Override
        public NextStep overloaded(Setback.Overloaded setback) {
            return before.inDoubt()
                    ? later(setback, Optional.empty(), false)
                    : new NextStep.GiveUp(ErrorCode.SERVER_BUSY);
        }

        @Override
        public NextStep unrouted(Setback.Unrouted setback) {
            return later(setback, Optional.empty(), true);
        }

        private NextStep atOnce(Setback setback, Optional<NodeId> avoid) {
            return new NextStep.Retry(before.hopAfter(setback, avoid), Duration.ZERO, false);
        }

        private NextStep later(Setback setback, Optional<NodeId> avoid, boolean refresh) {
            Attempts after = before.after(setback, avoid);
            return new NextStep.Retry(after, policy.delay(after.setbacks(), jitter), refresh);
        }
    }
}

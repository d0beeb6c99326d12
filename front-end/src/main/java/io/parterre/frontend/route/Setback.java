package io.parterre.frontend.route;

import io.parterre.error.BusyReason;
import io.parterre.error.ErrorCode;
import io.parterre.range.NodeId;
import java.time.Duration;
import java.util.Optional;

/** How an attempt failed to bring the answer asked for. */
public sealed interface Setback {
    <R> R match(Cases<R> cases);

    /** One method per kind. */
    interface Cases<R> {
        R notLeader(NotLeader setback);

        R staleRange(StaleRange setback);

        R busy(Busy setback);

        R noData(NoData setback);

        R ageUnknown(AgeUnknown setback);

        R inDoubt(InDoubt setback);

        R scopeFenced(ScopeFenced setback);

        R failed(Failed setback);

        R notSent(NotSent setback);

        R connectionLost(ConnectionLost setback);

        R overloaded(Overloaded setback);

        R unrouted(Unrouted setback);
    }

    /** Returns whether a write may have been applied, or may still be. */
    default boolean leavesDoubt() {
        return false;
    }

    /** Returns the reason as a label for logs and metrics. */
    String reason();

    /** The node does not lead; nothing was written. The map already contains the hint. */
    record NotLeader(NodeId asked, Optional<NodeId> hint) implements Setback {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.notLeader(this);
        }

        @Override
        public String reason() {
            return "not_leader";
        }
    }

    /**
     * The node does not hold the range at this generation; nothing was written.
     *
     * @param learnt whether the answer changed the map
     */
    record StaleRange(NodeId asked, boolean learnt) implements Setback {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.staleRange(this);
        }

        @Override
        public String reason() {
            return "stale_range";
        }
    }

    /**
     * The node's replica does not have the range's data yet, or is discarding it; other members may
     * have the data.
     */
    record NoData(NodeId asked) implements Setback {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.noData(this);
        }

        @Override
        public String reason() {
            return "no_data";
        }
    }

    /**
     * The node cannot state the staleness of its answer, as requested. Other members may, or this
     * one may soon.
     */
    record AgeUnknown(NodeId asked) implements Setback {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.ageUnknown(this);
        }

        @Override
        public String reason() {
            return "age_unknown";
        }
    }

    /**
     * The node refused the request to protect what is running; nothing was written.
     *
     * @param why empty if this release does not know the reason
     */
    record Busy(Duration retryAfter, Optional<BusyReason> why) implements Setback {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.busy(this);
        }

        @Override
        public String reason() {
            return "busy";
        }
    }

    /** The node cannot tell the outcome of the write. */
    record InDoubt(NodeId asked) implements Setback {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.inDoubt(this);
        }

        @Override
        public boolean leavesDoubt() {
            return true;
        }

        @Override
        public String reason() {
            return "in_doubt";
        }
    }

    /** What we know of the table is out of date; nothing was written. */
    record ScopeFenced() implements Setback {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.scopeFenced(this);
        }

        @Override
        public String reason() {
            return "scope_fenced";
        }
    }

    /** The node failed to execute the request and has logged the reason. */
    record Failed(ErrorCode code) implements Setback {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.failed(this);
        }

        @Override
        public String reason() {
            return "failed";
        }
    }

    /** The request was never sent, for lack of a connection. */
    record NotSent(NodeId asked) implements Setback {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.notSent(this);
        }

        @Override
        public String reason() {
            return "not_sent";
        }
    }

    /** The connection broke, or the attempt timed out, after the request was sent. */
    record ConnectionLost(NodeId asked) implements Setback {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.connectionLost(this);
        }

        @Override
        public boolean leavesDoubt() {
            return true;
        }

        @Override
        public String reason() {
            return "connection_lost";
        }
    }

    /**
     * This front end refused the request: the limit of requests in flight to the node is reached.
     */
    record Overloaded() implements Setback {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.overloaded(this);
        }

        @Override
        public String reason() {
            return "overloaded";
        }
    }

    /** The map has no range for the key, or no address for the range's node. */
    record Unrouted() implements Setback {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.unrouted(this);
        }

        @Override
        public String reason() {
            return "unrouted";
        }
    }
}

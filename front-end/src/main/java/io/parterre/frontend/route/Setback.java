package io.parterre.frontend.route;

import io.parterre.error.BusyReason;
import io.parterre.error.ErrorCode;
import io.parterre.range.NodeId;
import java.time.Duration;
import java.util.Optional;

/** How an attempt ended that did not bring the answer asked for. */
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

    /** Whether a write may have been written, or may yet be. */
    default boolean leavesDoubt() {
        return false;
    }

    /** Word for logs and metrics. */
    String reason();

    /** The node does not lead; nothing was written. The map knows the hint already. */
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
     * The node does not hold the range at that generation; nothing was written.
     *
     * @param learnt whether the map is different now
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

    /** The node's replica has not got the range's data, or gives it up; others may have it. */
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

    /** The node cannot tell how old its answer is, as was asked; others may, or it may soon. */
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
     * Refused by the node to protect what is running; nothing was written.
     *
     * @param why empty: for a reason that this release does not know
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

    /** The node cannot tell what became of the write. */
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

    /** The node failed at it and has logged why. */
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

    /** The request never left: no connection. */
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

    /** The connection broke, or the attempt's time ended, after the request was sent. */
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

    /** Refused by this front end: as much is on its way to that node as may be. */
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

    /** The map knows no range for the key, or no address for its node. */
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

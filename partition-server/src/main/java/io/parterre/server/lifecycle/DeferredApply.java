package io.parterre.server.lifecycle;

import io.parterre.range.Generation;
import io.parterre.range.RangeDescriptor;
import java.time.Duration;

/**
 * The wait of a replica that cannot apply its next entry yet: the entry absorbs the right
 * neighbour, and the neighbour's replica on this node is not frozen so far. The entry and those
 * after it are committed and wait in the log. Immutable.
 *
 * <pre>
 *                               the replica stays                  the replica is to end
 * FROZEN                        RESUME                             RESUME
 * STARTING, BEHIND and on       WAIT, as if it had just begun      STOP
 * BEHIND where it was before    WAIT; COPY after standstillMax     STOP
 * CHANGED, GONE                 COPY                               STOP
 * </pre>
 *
 * <p>If a copy is there already, WAIT replaces COPY: the copy removes the neighbour, and Ratis
 * takes note of the copy a little later.
 *
 * @param term term of the entry
 * @param index index of the entry
 * @param neighbour descriptor of the neighbour once it is frozen
 * @param freezeIndex entry up to which the neighbour's log has to be applied
 * @param neighbourIndex last entry that the neighbour was seen to have applied; -1 if none
 * @param sinceNanos ticker time at which the neighbour was last seen to make progress
 */
public record DeferredApply(
        long term,
        long index,
        RangeDescriptor neighbour,
        long freezeIndex,
        long neighbourIndex,
        long sinceNanos) {
    /** State of the neighbour's replica on this node. */
    public enum NeighbourState {
        /** The replica is frozen as expected. */
        FROZEN,
        /**
         * The replica has no Raft group yet and will get one; a node with many replicas takes its
         * time.
         */
        STARTING,
        /** The replica has not applied the freeze. */
        BEHIND,
        /** The replica has a later generation, so it will never be frozen as expected. */
        CHANGED,
        /** There is no replica. */
        GONE
    }

    /**
     * The neighbour's replica at a moment.
     *
     * @param generation generation of its range; meaningless if there is no replica
     * @param appliedIndex last applied entry of its log; -1 if none
     */
    public record Neighbour(NeighbourState state, Generation generation, long appliedIndex) {
        /** A neighbour without a replica. */
        public static final Neighbour GONE =
                new Neighbour(NeighbourState.GONE, Generation.FIRST, -1);

        /** Describes the state in a log line. */
        private String found() {
            return switch (state) {
                case FROZEN -> "frozen";
                case STARTING -> "starting";
                case BEHIND -> "at " + appliedIndex;
                case CHANGED -> "at generation " + generation;
                case GONE -> "none";
            };
        }
    }

    /** What follows from a check of the neighbour. */
    public enum Verdict {
        /** Apply the entry and those after it. */
        RESUME,
        /** Check again later. */
        WAIT,
        /** The replica cannot continue from its log and needs a copy. */
        COPY,
        /** Apply nothing any more. */
        STOP
    }

    /**
     * Result of a check of the neighbour.
     *
     * @param next the wait from then on
     */
    public record Step(Verdict verdict, DeferredApply next) {}

    /** Returns a wait that begins. */
    public static DeferredApply begun(
            long term, long index, RangeDescriptor neighbour, long freezeIndex, long nowNanos) {
        return new DeferredApply(term, index, neighbour, freezeIndex, -1, nowNanos);
    }

    /**
     * Returns the next step.
     *
     * @param ending whether the waiting replica is to end
     * @param copied whether a copy that holds the entry has replaced the replica's rows, or is
     *     replacing them
     * @param standstillMax longest time for which a neighbour may make no progress
     */
    public Step on(
            Neighbour seen, boolean ending, boolean copied, long nowNanos, Duration standstillMax) {
        boolean isProgressing =
                seen.state() == NeighbourState.STARTING || seen.appliedIndex() > neighbourIndex;
        boolean standsStill = !isProgressing && nowNanos - sinceNanos > standstillMax.toNanos();
        Verdict lacking = ending ? Verdict.STOP : copied ? Verdict.WAIT : Verdict.COPY;
        Verdict verdict =
                switch (seen.state()) {
                    case FROZEN -> Verdict.RESUME;
                    case STARTING -> ending ? Verdict.STOP : Verdict.WAIT;
                    case BEHIND -> ending || standsStill ? lacking : Verdict.WAIT;
                    case CHANGED, GONE -> lacking;
                };
        return new Step(
                verdict,
                verdict == Verdict.WAIT && isProgressing
                        ? new DeferredApply(
                                term, index, neighbour, freezeIndex, seen.appliedIndex(), nowNanos)
                        : this);
    }

    /** Describes in a log line why the replica needs a copy. */
    public String lacks(Neighbour seen) {
        return "neighbour "
                + neighbour
                + " to be absorbed: "
                + seen.found()
                + " (expected: frozen)";
    }
}

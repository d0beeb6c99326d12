package io.parterre.server.lifecycle;

import io.parterre.range.Generation;
import io.parterre.range.RangeDescriptor;
import java.time.Duration;

/**
 * A replica that cannot apply the next entry yet: its range absorbs the right neighbour there, and
 * the neighbour's replica on this node is not frozen so far. Entries from there on are committed
 * and wait in the log. Immutable.
 *
 * <pre>
 *                               the replica stays                  the replica is to end
 * FROZEN                        RESUME                             RESUME
 * STARTING, BEHIND and on       WAIT, as if it had just begun      STOP
 * BEHIND where it was before    WAIT; COPY after standstillMax     STOP
 * CHANGED, GONE                 COPY                               STOP
 * </pre>
 *
 * <p>Instead of COPY it is WAIT while the copy is there already: with it the neighbour goes, and
 * Ratis takes note of it a little later.
 *
 * @param term of the entry
 * @param index of the entry
 * @param neighbour as it has to be frozen
 * @param freezeIndex entry of the neighbour's log up to which it has to be applied
 * @param neighbourIndex last entry that the neighbour was seen to have applied; -1: none
 * @param sinceNanos when it was seen to get on, by a ticker
 */
public record DeferredApply(
        long term,
        long index,
        RangeDescriptor neighbour,
        long freezeIndex,
        long neighbourIndex,
        long sinceNanos) {
    /** What the neighbour's replica on this node does. */
    public enum NeighbourState {
        /** It is as expected. */
        FROZEN,
        /**
         * It has no Raft group yet, and is to get one: a node with many replicas takes its time.
         */
        STARTING,
        /** It has not applied the freeze. */
        BEHIND,
        /** It is of a later generation: it will never be as expected. */
        CHANGED,
        /** There is none. */
        GONE
    }

    /**
     * The neighbour's replica at a moment.
     *
     * @param generation of its range; of no meaning if there is none
     * @param appliedIndex last entry of its log that is applied; -1: none
     */
    public record Neighbour(NeighbourState state, Generation generation, long appliedIndex) {
        /** Without a replica. */
        public static final Neighbour GONE =
                new Neighbour(NeighbourState.GONE, Generation.FIRST, -1);

        /** For a log. */
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

    /** What follows. */
    public enum Verdict {
        /** The entry and those after it are applied. */
        RESUME,
        /** Look again. */
        WAIT,
        /** The replica cannot go on by its log, and needs a copy. */
        COPY,
        /** Nothing is applied any more. */
        STOP
    }

    /**
     * What follows from a look at the neighbour.
     *
     * @param next the wait from then on
     */
    public record Step(Verdict verdict, DeferredApply next) {}

    /** A wait that begins. */
    public static DeferredApply begun(
            long term, long index, RangeDescriptor neighbour, long freezeIndex, long nowNanos) {
        return new DeferredApply(term, index, neighbour, freezeIndex, -1, nowNanos);
    }

    /**
     * The next step.
     *
     * @param ending whether the replica that waits is to end
     * @param copied whether a copy that holds the entry is in the place of its rows, or is being
     *     put there
     * @param standstillMax for a neighbour that does not get on
     */
    public Step on(
            Neighbour seen, boolean ending, boolean copied, long nowNanos, Duration standstillMax) {
        boolean getsOn =
                seen.state() == NeighbourState.STARTING || seen.appliedIndex() > neighbourIndex;
        boolean standsStill = !getsOn && nowNanos - sinceNanos > standstillMax.toNanos();
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
                verdict == Verdict.WAIT && getsOn
                        ? new DeferredApply(
                                term, index, neighbour, freezeIndex, seen.appliedIndex(), nowNanos)
                        : this);
    }

    /** Why the replica needs a copy, for a log. */
    public String lacks(Neighbour seen) {
        return "neighbour "
                + neighbour
                + " to be absorbed: "
                + seen.found()
                + " (expected: frozen)";
    }
}

package io.parterre.server.change;

import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Lets a range whose majority is lost for good continue from this node's replica alone, as another
 * range. The lost range's log is replayed, the store replaces it by the successor, and the
 * successor joins a group of its own. Once the store has the successor there is no way back, and an
 * interrupted recovery continues from there. Immutable; safe for any thread.
 *
 * @param successor the range that replaces the lost one, with this node as its only member
 */
public record RecoveryDriver(NodeId self, RangeId lostId, RangeDescriptor successor) {
    /** Progress of the recovery. */
    public enum State {
        NEW,
        REPLAYING,
        STORING,
        /** The store has the successor, stored by this recovery. */
        STORED,
        /** The store has the successor, stored by a recovery that was interrupted. */
        STORED_BEFORE,
        RECOVERED,
        /** Only the rest of an interrupted recovery had to be done. */
        FINISHED,
        FAILED
    }

    /** An event that the driver reacts to. */
    public sealed interface Event {
        /**
         * The recovery begins; comes first.
         *
         * @param stored whether the store has the successor
         * @param lost replica of the lost range; empty if there is none
         */
        record Begun(boolean stored, Optional<Lost> lost) implements Event {}

        /** All entries of the lost range's log are applied, and nothing of that is stored. */
        record Replayed(RangeDescriptor held) implements Event {}

        record NotReplayed(String why) implements Event {}

        /** The store has the successor in place of the lost range. */
        record Stored() implements Event {}

        /**
         * The successor has a replica.
         *
         * @param fenced whether the replica serves nothing until a manager has answered
         * @param grouped whether its Raft group runs
         * @param removing whether the lost range's replica is still there and marked for removal
         */
        record Hosted(boolean fenced, boolean grouped, boolean removing) implements Event {}
    }

    /** An action that the driver asks for. */
    public enum Effect {
        /** Take the lost replica out of its group and apply all entries of its log. */
        REPLAY,
        /** Replace the lost range by the successor in the store, all or nothing. */
        STORE,
        /** Create the successor's replica, if there is none. */
        HOST,
        /**
         * Let the successor's only member vote at once and ask a manager about the range. No other
         * member's vote has to be waited for.
         */
        FOUND_ALONE,
        FINISH_REMOVAL,
        JOIN,
        /** Mark the lost replica as damaged, so that the manager chooses another survivor. */
        DAMAGE
    }

    /** The replica from which the range is to continue. */
    public record Lost(RangeDescriptor descriptor, boolean damaged, boolean hasData) {}

    /**
     * What follows from an event.
     *
     * @param failure reason why the recovery has failed; empty if it has not
     */
    public record Step(State next, List<Effect> effects, Optional<String> failure) {
        public Step {
            effects = List.copyOf(effects);
        }

        private static Step of(State next, Effect... effects) {
            return new Step(next, List.of(effects), Optional.empty());
        }
    }

    /** Returns the next step. An event that the state does not wait for changes nothing. */
    public Step on(State state, Event event) {
        if (state == State.NEW && event instanceof Event.Begun begun) {
            return begin(begun);
        }
        if (state == State.REPLAYING && event instanceof Event.Replayed replayed) {
            return unlessOtherBounds(replayed.held(), State.STORING, Effect.STORE);
        }
        if (state == State.REPLAYING && event instanceof Event.NotReplayed failed) {
            return failed("its log cannot be replayed: " + failed.why(), Effect.DAMAGE);
        }
        if (state == State.STORING && event instanceof Event.Stored) {
            return Step.of(State.STORED, Effect.HOST);
        }
        if (event instanceof Event.Hosted hosted) {
            return switch (state) {
                case STORED -> end(State.RECOVERED, hosted);
                case STORED_BEFORE -> end(State.FINISHED, hosted);
                case NEW, REPLAYING, STORING, RECOVERED, FINISHED, FAILED -> Step.of(state);
            };
        }
        return Step.of(state);
    }

    private Step begin(Event.Begun begun) {
        if (!successor.members().equals(List.of(self))) {
            return failed("its successor is not for node " + self + " alone");
        }
        if (begun.stored()) {
            return Step.of(State.STORED_BEFORE, Effect.HOST);
        }
        return begun.lost()
                .filter(lost -> !lost.damaged() && lost.hasData())
                .map(lost -> unlessOtherBounds(lost.descriptor(), State.REPLAYING, Effect.REPLAY))
                .orElseGet(() -> failed("no usable replica of range " + lostId + " is here"));
    }

    private Step unlessOtherBounds(RangeDescriptor held, State next, Effect effect) {
        return held.bounds().equals(successor.bounds())
                ? Step.of(next, effect)
                : failed(
                        "it has other bounds: "
                                + held.bounds()
                                + " (expected: "
                                + successor.bounds()
                                + ")",
                        Effect.DAMAGE);
    }

    private static Step failed(String why, Effect... effects) {
        return new Step(State.FAILED, List.of(effects), Optional.of(why));
    }

    private static Step end(State next, Event.Hosted hosted) {
        List<Effect> effects = new ArrayList<>();
        if (hosted.fenced()) {
            effects.add(Effect.FOUND_ALONE);
        }
        if (hosted.removing()) {
            effects.add(Effect.FINISH_REMOVAL);
        }
        if (!hosted.grouped()) {
            effects.add(Effect.JOIN);
        }
        return new Step(next, effects, Optional.empty());
    }
}

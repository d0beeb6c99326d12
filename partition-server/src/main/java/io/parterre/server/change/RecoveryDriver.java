package io.parterre.server.change;

import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Lets a range whose majority is lost for good go on from this node's replica alone, as another
 * range: its log is replayed, the store takes the successor in its place, and then the successor
 * joins a group of its own. Once the store has the successor there is no way back; what is split
 * short after that goes on from there. Immutable; safe for any thread.
 *
 * @param successor the range in the lost one's place, with this node as its only member
 */
public record RecoveryDriver(NodeId self, RangeId lostId, RangeDescriptor successor) {
    /** How far it is. */
    public enum State {
        NEW,
        REPLAYING,
        STORING,
        /** By this recovery. */
        STORED,
        /** By one that was cut short. */
        STORED_BEFORE,
        RECOVERED,
        /** Nothing but what was cut short had to be done. */
        FINISHED,
        FAILED
    }

    /** What it hears of. */
    public sealed interface Event {
        /**
         * Comes first.
         *
         * @param stored whether the store has the successor
         * @param lost replica of the lost range; empty: there is none
         */
        record Begun(boolean stored, Optional<Lost> lost) implements Event {}

        /** All that the lost range's log holds is applied, and nothing of that is stored. */
        record Replayed(RangeDescriptor held) implements Event {}

        record NotReplayed(String why) implements Event {}

        /** The store has the successor in place of the lost range. */
        record Stored() implements Event {}

        /**
         * The successor has a replica.
         *
         * @param fenced whether it serves nothing until a manager has answered
         * @param grouped whether its Raft group runs
         * @param removing whether the lost range's replica is marked to go, and there
         */
        record Hosted(boolean fenced, boolean grouped, boolean removing) implements Event {}
    }

    /** What it wants done. */
    public enum Effect {
        /** Take the lost replica out of its group and apply all that its log holds. */
        REPLAY,
        /** Store the successor in place of the lost range: all or nothing. */
        STORE,
        /** Make the successor's replica, if there is none. */
        HOST,
        /** The successor's only member has no vote to wait for. */
        FOUND_ALONE,
        FINISH_REMOVAL,
        JOIN,
        /** The lost replica is not to be gone on from, so that the manager chooses another one. */
        DAMAGE
    }

    /** The replica that the range is to go on from. */
    public record Lost(RangeDescriptor descriptor, boolean damaged, boolean hasData) {}

    /**
     * What follows from an event.
     *
     * @param failure why the recovery has failed; empty: it has not
     */
    public record Step(State next, List<Effect> effects, Optional<String> failure) {
        public Step {
            effects = List.copyOf(effects);
        }

        private static Step of(State next, Effect... effects) {
            return new Step(next, List.of(effects), Optional.empty());
        }
    }

    /** The next step; an event that the state does not wait for changes nothing. */
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

package io.parterre.server.change;

import io.parterre.range.RangeId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Carries out a change of ranges step by step: says what follows from an event, without waiting for
 * anything. The runner carries out the effects in their order and reports the result of each as a
 * later event. Immutable, as are its states; safe for any thread.
 *
 * @param <S> state of the change: what has happened so far
 */
public interface ChangeDriver<S> {
    /** Returns the state before {@link ChangeEvent.Begun}. */
    S initial();

    /**
     * Returns the next step. An event that the state does not wait for changes nothing, because an
     * effect that was given up may still end later.
     *
     * @param ranges the ranges of the change, as this node sees them now
     * @param nowNanos time by a ticker
     */
    Step<S> on(S state, ChangeEvent event, Map<RangeId, RangeView> ranges, long nowNanos);

    /**
     * What follows from an event.
     *
     * @param next state after the event
     * @param effects effects to carry out, in this order
     * @param wakeAtNanos ticker time at which {@link ChangeEvent.Woken} is due; replaces any
     *     earlier such time. Empty: never
     */
    record Step<S>(S next, List<ChangeEffect> effects, OptionalLong wakeAtNanos) {
        public Step {
            effects = List.copyOf(effects);
        }

        /** Creates a step with a time to be woken at. */
        static <S> Step<S> until(long wakeAtNanos, S next, ChangeEffect... effects) {
            return new Step<>(next, Arrays.asList(effects), OptionalLong.of(wakeAtNanos));
        }

        /** Creates a step without a time to be woken at. */
        static <S> Step<S> of(S next, ChangeEffect... effects) {
            return new Step<>(next, Arrays.asList(effects), OptionalLong.empty());
        }

        /** Returns this step with other effects before its own. */
        Step<S> after(ChangeEffect... earlier) {
            return new Step<>(
                    next,
                    Stream.concat(Arrays.stream(earlier), effects.stream()).toList(),
                    wakeAtNanos);
        }
    }
}

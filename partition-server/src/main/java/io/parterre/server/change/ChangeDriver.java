package io.parterre.server.change;

import io.parterre.range.RangeId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Carries a change of ranges out, step by step: what follows from an event, without waiting for
 * anything. Its runner carries the effects out in their order and reports what comes of each as a
 * later event. Immutable, as are its states; safe for any thread.
 *
 * @param <S> what has happened so far
 */
public interface ChangeDriver<S> {
    /** Before {@link ChangeEvent.Begun}. */
    S initial();

    /**
     * The next step. An event that the state does not wait for changes nothing: what was given up
     * may still end later.
     *
     * @param ranges the ranges of the change, as this node sees them now
     * @param nowNanos by a ticker
     */
    Step<S> on(S state, ChangeEvent event, Map<RangeId, RangeView> ranges, long nowNanos);

    /**
     * What follows from an event.
     *
     * @param wakeAtNanos when {@link ChangeEvent.Woken} is due, by the ticker, instead of any
     *     earlier time that was asked for; empty: never
     */
    record Step<S>(S next, List<ChangeEffect> effects, OptionalLong wakeAtNanos) {
        public Step {
            effects = List.copyOf(effects);
        }

        /** With a time to be woken at. */
        static <S> Step<S> until(long wakeAtNanos, S next, ChangeEffect... effects) {
            return new Step<>(next, Arrays.asList(effects), OptionalLong.of(wakeAtNanos));
        }

        /** Without one. */
        static <S> Step<S> of(S next, ChangeEffect... effects) {
            return new Step<>(next, Arrays.asList(effects), OptionalLong.empty());
        }

        /** With other effects before its own. */
        Step<S> after(ChangeEffect... earlier) {
            return new Step<>(
                    next,
                    Stream.concat(Arrays.stream(earlier), effects.stream()).toList(),
                    wakeAtNanos);
        }
    }
}

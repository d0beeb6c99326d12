package io.parterre.server.lifecycle;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A table of states and events. Each cell names the next state, or says that the event never meets
 * the state. An empty cell is an omission, which a test finds. Immutable once built.
 *
 * @param <S> states
 * @param <E> events
 */
final class Transitions<S extends Enum<S>, E extends Enum<E>> {
    private final Class<S> states;
    private final Class<E> events;
    private final Map<S, Map<E, Optional<S>>> cells;

    Transitions(Class<S> states, Class<E> events) {
        this.states = states;
        this.events = events;
        this.cells = new EnumMap<>(states);
    }

    /** Defines that the event leads from the state to the next state. */
    Transitions<S, E> to(S state, E event, S next) {
        return cell(state, event, Optional.of(next));
    }

    /** Defines that the event never meets the state. */
    Transitions<S, E> never(S state, E event) {
        return cell(state, event, Optional.empty());
    }

    private Transitions<S, E> cell(S state, E event, Optional<S> next) {
        Map<E, Optional<S>> row = cells.computeIfAbsent(state, s -> new EnumMap<>(events));
        if (row.put(event, next) != null) {
            throw new IllegalArgumentException("two cells for " + state + " and " + event);
        }
        return this;
    }

    /**
     * Returns the state after the event.
     *
     * @throws IllegalStateException if the event never meets the state
     */
    S next(S state, E event) {
        Optional<S> next =
                cells.getOrDefault(state, Map.of()).getOrDefault(event, Optional.empty());
        return next.orElseThrow(
                () -> new IllegalStateException("event " + event + " in state " + state));
    }

    /** Returns the empty cells. */
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        for (S state : states.getEnumConstants()) {
            for (E event : events.getEnumConstants()) {
                if (!cells.getOrDefault(state, Map.of()).containsKey(event)) {
                    missing.add(state + " x " + event);
                }
            }
        }
        return missing;
    }
}

package io.parterre.bench.report;

import java.util.Map;
import java.util.Optional;

/**
 * A number beside the bar it is held to.
 *
 * @param id by which documents name it, as N1
 * @param bar what is wanted; empty: nothing, it is told for its own sake
 * @param measured for a person
 * @param held whether the bar was reached; empty: there is none
 * @param loadAverage of the machine's last minute, before and after
 * @param raw for programs
 */
public record Figure(
        String id,
        String what,
        String bar,
        String measured,
        Optional<Boolean> held,
        String loadAverage,
        Map<String, Object> raw) {
    public Figure {
        raw = Map.copyOf(raw);
    }

    /** "yes", "no", or nothing. */
    String verdict() {
        return held.map(reached -> reached ? "yes" : "NO").orElse("");
    }
}

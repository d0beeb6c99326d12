package io.parterre.bench.report;

import java.util.Map;
import java.util.Optional;

/**
 * A number and the bar that it is compared with.
 *
 * @param id id used in documents, such as N1
 * @param bar required value; empty string if there is none
 * @param measured measured value, for people
 * @param held whether the bar was reached; empty if there is none
 * @param loadAverage load average of the machine's last minute, before and after
 * @param raw the value for programs
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

    /** Returns "yes", "NO", or an empty string if there is no bar. */
    String verdict() {
        return held.map(reached -> reached ? "yes" : "NO").orElse("");
    }
}

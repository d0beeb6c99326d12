package io.parterre.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Figures of one measurement, in order, with the same load average. Not thread-safe. */
public final class Figures {
    private final List<Figure> all = new ArrayList<>();
    private final String loadAverage;

    /** Creates an empty list. */
    public Figures(String loadAverage) {
        this.loadAverage = loadAverage;
    }

    /** Adds a figure with a bar. */
    public Figures held(
            String id,
            String what,
            String bar,
            String measured,
            boolean held,
            Map<String, Object> raw) {
        all.add(new Figure(id, what, bar, measured, Optional.of(held), loadAverage, raw));
        return this;
    }

    /** Adds a figure that should be zero. */
    public Figures count(String id, String what, long count) {
        return held(id, what, "0", Long.toString(count), count == 0, Map.of("count", count));
    }

    /** Adds a figure without a bar. */
    public Figures fact(String id, String what, String measured, Map<String, Object> raw) {
        all.add(new Figure(id, what, "", measured, Optional.empty(), loadAverage, raw));
        return this;
    }

    public List<Figure> all() {
        return List.copyOf(all);
    }
}

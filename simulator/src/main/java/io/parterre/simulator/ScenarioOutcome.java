package io.parterre.simulator;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a run went.
 *
 * @param timeline in the order of time
 * @param broken what happened that must never happen; empty: nothing
 */
public record ScenarioOutcome(
        List<Moment> timeline,
        Map<Measure, Double> measures,
        List<Verdict> verdicts,
        Optional<String> broken) {
    /**
     * The cluster at some second.
     *
     * @param events what had come from outside since the moment before
     * @param most operations a second asked of the busiest node
     */
    public record Moment(
            long second,
            List<String> events,
            int nodes,
            int ranges,
            int splits,
            int merges,
            int moves,
            int leadsMoved,
            double mean,
            double most,
            int overloaded,
            int lacking) {}

    /** A measure against its bounds. */
    public record Verdict(
            String measure, String meaning, double value, String bound, boolean passed) {}

    static ScenarioOutcome of(
            Scenario scenario,
            List<Moment> timeline,
            Map<Measure, Double> measures,
            Optional<String> broken) {
        List<Verdict> verdicts = new ArrayList<>();
        scenario.expect()
                .forEach(
                        (key, bound) -> {
                            Measure measure = Measure.of(key);
                            Double value = measures.get(measure);
                            verdicts.add(
                                    new Verdict(
                                            key,
                                            measure.meaning(),
                                            value == null ? Double.NaN : value,
                                            bound.toString(),
                                            value != null && bound.holds(value)));
                        });
        return new ScenarioOutcome(
                List.copyOf(timeline), new EnumMap<>(measures), List.copyOf(verdicts), broken);
    }

    /** Whether all is as expected. */
    public boolean passed() {
        return broken.isEmpty() && verdicts.stream().allMatch(Verdict::passed);
    }
}

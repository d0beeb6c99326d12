package io.parterre.simulator;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The outcome of a run.
 *
 * @param timeline in order of time
 * @param broken the invariant that was broken; empty if none was
 */
public record ScenarioOutcome(
        List<Moment> timeline,
        Map<Measure, Double> measures,
        List<Verdict> verdicts,
        Optional<String> broken) {
    /**
     * The cluster at one second.
     *
     * @param events from outside since the previous moment
     * @param most load of the busiest node, in operations a second
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

    /** A measure compared with its bounds. */
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

    /** Returns whether all measures are within their bounds and no invariant was broken. */
    public boolean passed() {
        return broken.isEmpty() && verdicts.stream().allMatch(Verdict::passed);
    }
}

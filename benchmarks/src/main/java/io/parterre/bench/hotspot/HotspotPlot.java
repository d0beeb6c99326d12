package io.parterre.bench.hotspot;

import io.parterre.bench.plot.TimePlot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;

/** The picture of a run: who answered how much, how many ranges there were, what was done. */
public final class HotspotPlot {
    private static final TimePlot.MarkKind SPLIT = new TimePlot.MarkKind("split", "#c62828");
    private static final TimePlot.MarkKind LEAD = new TimePlot.MarkKind("lead moves", "#6a1b9a");
    private static final TimePlot.MarkKind MERGE = new TimePlot.MarkKind("merge", "#1b5e20");
    private static final TimePlot.MarkKind MOVE = new TimePlot.MarkKind("replica moves", "#0277bd");
    private static final List<String> COLOURS =
            List.of("#90caf9", "#ffcc80", "#a5d6a7", "#ce93d8", "#fff59d");

    private HotspotPlot() {}

    /**
     * Draws it.
     *
     * @param binSeconds rates are of so long
     */
    public static TimePlot of(RunRecord run, String title, double binSeconds) {
        long endMillis = run.phases().get(run.phases().size() - 1).toMillis();
        return new TimePlot(
                title,
                endMillis / 1e3,
                binSeconds,
                "calls answered a second, by who led their range",
                bands(run, endMillis, binSeconds),
                "ranges",
                counts(run),
                run.phases().stream()
                        .map(
                                phase ->
                                        new TimePlot.Span(
                                                phase.fromMillis() / 1e3, phase.kind().words()))
                        .toList(),
                List.of(SPLIT, LEAD, MERGE, MOVE),
                marks(run.steps(), endMillis));
    }

    private static List<TimePlot.Band> bands(RunRecord run, long endMillis, double binSeconds) {
        int bins = (int) (endMillis / 1e3 / binSeconds);
        TreeMap<String, double[]> rates = new TreeMap<>();
        int at = 0;
        for (Call call : run.calls()) {
            long millis = call.endMicros() / 1_000;
            while (at + 1 < run.samples().size() && run.samples().get(at + 1).millis() <= millis) {
                at++;
            }
            int bin = (int) (millis / 1e3 / binSeconds);
            if (bin < bins) {
                String leader = run.samples().get(at).layout().leaderOf(call.partition());
                rates.computeIfAbsent(leader, name -> new double[bins])[bin] += 1 / binSeconds;
            }
        }
        List<TimePlot.Band> bands = new ArrayList<>();
        rates.forEach(
                (leader, values) ->
                        bands.add(
                                new TimePlot.Band(
                                        leader.isEmpty() ? "not known" : leader,
                                        COLOURS.get(bands.size() % COLOURS.size()),
                                        values)));
        return bands;
    }

    private static List<TimePlot.Count> counts(RunRecord run) {
        List<TimePlot.Count> counts = new ArrayList<>();
        int last = -1;
        for (Sample sample : run.samples()) {
            int now = sample.layout().parts().size();
            if (now != last) {
                counts.add(new TimePlot.Count(sample.millis() / 1e3, now));
                last = now;
            }
        }
        return counts;
    }

    /**
     * What has taken effect; of a leadership, which the journal does not see end, what was decided.
     */
    static List<TimePlot.Mark> marks(List<Step> steps, long endMillis) {
        List<TimePlot.Mark> marks = new ArrayList<>();
        for (Step step : steps) {
            kind(step)
                    .filter(kind -> step.millis() >= 0 && step.millis() <= endMillis)
                    .ifPresent(
                            kind ->
                                    marks.add(
                                            new TimePlot.Mark(
                                                    step.millis() / 1e3, kind, words(step))));
        }
        return marks;
    }

    private static Optional<TimePlot.MarkKind> kind(Step step) {
        if (step.isDone("SPLIT")) {
            return Optional.of(SPLIT);
        }
        if (step.isDecided("LEAD")) {
            return Optional.of(LEAD);
        }
        if (step.isDone("MERGE")) {
            return Optional.of(MERGE);
        }
        return step.isDone("MOVE") ? Optional.of(MOVE) : Optional.empty();
    }

    private static String words(Step step) {
        return step.verdict().toLowerCase(Locale.ROOT) + " " + step.ranges() + ": " + step.why();
    }
}

package io.parterre.bench.hotspot;

import io.parterre.bench.report.Figure;
import io.parterre.bench.report.Figures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** The figures of a run, by the numbers used in documents. Stateless but for the run. */
public final class HotspotFigures {
    private static final double DECIDED_MILLIS_MAX = 10_000;
    private static final double SPREAD_MILLIS_MAX = 20_000;
    private static final double LEADS_MILLIS_MAX = 60_000;
    private static final double FOREGROUND_RATIO_MAX = 1.3;
    private static final long SPLIT_PAUSE_MICROS_MAX = 100_000;
    private static final long MERGE_PAUSE_MICROS_MAX = 300_000;
    private static final double HALF = 0.5;

    private final RunRecord run;
    private final long settleMillis;
    private final Figures figures;

    /**
     * Creates the figures.
     *
     * @param settleMillis first part of a steady phase, in which decisions do not count as churn
     * @param load load average
     */
    public HotspotFigures(RunRecord run, long settleMillis, String load) {
        this.run = run;
        this.settleMillis = settleMillis;
        this.figures = new Figures(load);
    }

    /** Returns all figures. */
    public List<Figure> all() {
        figures.count(
                "N4",
                "the whole run: calls failed or answered with another value, of "
                        + (run.calls().size() + run.failed()),
                run.failed());
        figures.count(
                "N4",
                "acknowledged writes lost or wrong in the end, of %d entities"
                        .formatted(run.held()),
                run.lostCount());
        run.phase(PhaseKind.HOT).ifPresent(phase -> spread(phase, "hot spot's onset"));
        run.phase(PhaseKind.MOVED).ifPresent(phase -> spread(phase, "hot spot's move"));
        splitPauses();
        mergePauses();
        run.phase(PhaseKind.JOINED).ifPresent(phase -> leads("N12", "new server", phase));
        run.phase(PhaseKind.RETURNED).ifPresent(phase -> leads("N13", "server back", phase));
        run.phase(PhaseKind.STEADY)
                .ifPresent(phase -> churn(phase, phase.fromMillis() + settleMillis));
        run.phase(PhaseKind.MOVED)
                .ifPresent(phase -> churn(phase, (phase.fromMillis() + 2 * phase.toMillis()) / 3));
        return figures.all();
    }

    /**
     * Adds when the first decision was made, and when half of the load was led by other servers.
     */
    private void spread(Phase phase, String onset) {
        Layout before = run.layoutBefore(phase.fromMillis()).orElseThrow();
        Map.Entry<String, Double> busiest =
                before.shares(phase.offer().skew()).entrySet().stream()
                        .max(Map.Entry.comparingByValue())
                        .orElseThrow();
        Optional<Double> decided =
                run.stepsIn(phase.fromMillis(), phase.toMillis())
                        .filter(step -> step.isDecided("SPLIT") || step.isDecided("LEAD"))
                        .map(step -> (double) step.millis() - phase.fromMillis())
                        .findFirst();
        Optional<Double> spread =
                run.samplesIn(phase)
                        .filter(sample -> share(sample.layout(), phase, busiest.getKey()) <= HALF)
                        .map(sample -> (double) sample.millis() - phase.fromMillis())
                        .findFirst();
        figures.held(
                "N4",
                String.format(
                        Locale.ROOT,
                        "%s: first split or move of a leadership decided; until %s, which led"
                                + " %.0f %% of the calls, led at most half",
                        onset,
                        busiest.getKey(),
                        100 * busiest.getValue()),
                "10 s, 20 s",
                seconds(decided) + ", " + seconds(spread),
                decided.filter(millis -> millis <= DECIDED_MILLIS_MAX).isPresent()
                        && spread.filter(millis -> millis <= SPREAD_MILLIS_MAX).isPresent(),
                Map.of(
                        "decidedMillis", decided.orElse(-1.0),
                        "spreadMillis", spread.orElse(-1.0)));
        run.layoutBefore(phase.toMillis())
                .ifPresent(
                        layout ->
                                figures.fact(
                                        "N4",
                                        onset + ": calls led by each in the end",
                                        percent(layout.shares(phase.offer().skew()))
                                                + ", "
                                                + layout.parts().size()
                                                + " ranges",
                                        Map.of()));
    }

    private static double share(Layout layout, Phase phase, String server) {
        return layout.shares(phase.offer().skew()).getOrDefault(server, 0.0);
    }

    private static String seconds(Optional<Double> millis) {
        return millis.map(known -> String.format(Locale.ROOT, "%.1f s", known / 1e3))
                .orElse("never");
    }

    private static String percent(Map<String, Double> shares) {
        List<String> words = new ArrayList<>();
        shares.forEach(
                (server, share) ->
                        words.add(
                                String.format(
                                        Locale.ROOT,
                                        "%s %.0f %%",
                                        server.isEmpty() ? "nobody" : server,
                                        100 * share)));
        return String.join(", ", words);
    }

    private void splitPauses() {
        List<Pause> pauses = Pause.ofSplits(run);
        if (pauses.isEmpty()) {
            return;
        }
        long[] moved = sorted(pauses, pause -> pause.moved().silenceMicros());
        figures.held(
                "N5",
                "split: longest silence of the half that gets a new leader, from the decision"
                        + " until a second after its end",
                "p99 100 ms",
                millis(moved),
                percentile(moved, 99) <= SPLIT_PAUSE_MICROS_MAX,
                Map.of("micros", moved));
        fact("N5", "the half that stays", pauses, pause -> pause.kept().silenceMicros());
        fact(
                "N5",
                "the half that gets a new leader, as long before",
                pauses,
                pause -> pause.usual().silenceMicros());
    }

    private void mergePauses() {
        List<Pause> pauses = Pause.ofMerges(run);
        if (pauses.isEmpty()) {
            return;
        }
        // Quiet ranges get few calls, so the time that a call waits tells more than the silence.
        long[] moved = sorted(pauses, pause -> pause.moved().callMicros());
        figures.held(
                "N6",
                "merge: longest call to the range that is absorbed, from the decision"
                        + " until a second after its end",
                "p99 300 ms",
                millis(moved),
                percentile(moved, 99) <= MERGE_PAUSE_MICROS_MAX,
                Map.of("micros", moved));
        fact("N6", "the range that absorbs", pauses, pause -> pause.kept().callMicros());
        fact(
                "N6",
                "longest silence of the range that is absorbed",
                pauses,
                pause -> pause.moved().silenceMicros());
        fact("N6", "the same, as long before", pauses, pause -> pause.usual().silenceMicros());
    }

    private void fact(String id, String what, List<Pause> pauses, ToLongFunction<Pause> of) {
        long[] micros = sorted(pauses, of);
        figures.fact(id, "the same: " + what, millis(micros), Map.of("micros", micros));
    }

    private static long[] sorted(List<Pause> pauses, ToLongFunction<Pause> of) {
        return pauses.stream().mapToLong(of).sorted().toArray();
    }

    private static long percentile(long[] sorted, int percent) {
        return sorted.length == 0
                ? 0
                : sorted[Math.max(0, (sorted.length * percent + 99) / 100 - 1)];
    }

    private static String millis(long[] sortedMicros) {
        return String.format(
                Locale.ROOT,
                "p50 %.0f ms, p99 %.0f ms (%d)",
                percentile(sortedMicros, 50) / 1e3,
                percentile(sortedMicros, 99) / 1e3,
                sortedMicros.length);
    }

    /**
     * Adds when an added server got its first leadership, and how even the distribution is in the
     * end.
     */
    private void leads(String id, String who, Phase phase) {
        String server = phase.server().orElseThrow();
        Optional<Double> first =
                run.samplesIn(phase)
                        .filter(sample -> sample.millis() >= phase.serverSinceMillis())
                        .filter(sample -> leads(sample.layout(), server) > 0)
                        .map(sample -> (double) sample.millis() - phase.serverSinceMillis())
                        .findFirst();
        figures.held(
                id,
                who + ": from its start to its first lead",
                "60 s",
                seconds(first),
                first.filter(millis -> millis <= LEADS_MILLIS_MAX).isPresent(),
                Map.of("millis", first.orElse(-1.0)));
        Layout last = run.layoutBefore(phase.toMillis()).orElseThrow();
        figures.fact(
                id,
                who + ": in the end",
                "leads %d of %d ranges; calls led: %s"
                        .formatted(
                                leads(last, server),
                                last.parts().size(),
                                percent(last.shares(phase.offer().skew()))),
                Map.of());
        long before =
                p99(
                        phase.fromMillis() - (phase.toMillis() - phase.fromMillis()),
                        phase.fromMillis());
        long during = p99(phase.serverSinceMillis(), phase.toMillis());
        double ratio = (double) during / Math.max(1, before);
        figures.held(
                id,
                who + ": p99 of a call before, and from its start on",
                "ratio 1.3",
                String.format(
                        Locale.ROOT, "%.0f ms, %.0f ms: %.1f", before / 1e3, during / 1e3, ratio),
                ratio <= FOREGROUND_RATIO_MAX,
                Map.of("ratio", ratio));
    }

    private static long leads(Layout layout, String server) {
        return layout.parts().stream().filter(part -> part.leader().equals(server)).count();
    }

    private long p99(long fromMillis, long toMillis) {
        long[] micros =
                run.calls().stream()
                        .filter(call -> call.startMicros() >= fromMillis * 1_000)
                        .filter(call -> call.endMicros() < toMillis * 1_000)
                        .mapToLong(Call::micros)
                        .toArray();
        Arrays.sort(micros);
        return percentile(micros, 99);
    }

    private void churn(Phase phase, long fromMillis) {
        List<Step> decided =
                run.stepsIn(fromMillis, phase.toMillis())
                        .filter(Step::isDecided)
                        .sorted(Comparator.comparing(Step::millis))
                        .toList();
        figures.count(
                "N19",
                String.format(
                        Locale.ROOT,
                        "%s, last %.0f s: splits, merges and moves decided",
                        phase.kind().words(),
                        (phase.toMillis() - fromMillis) / 1e3),
                decided.size());
    }
}

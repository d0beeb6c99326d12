package io.parterre.bench.hotspot;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The effect of a split or merge on clients, on the partitions that changed their range and on
 * those that did not.
 *
 * @param what such as "split of 1 into 1 and 2 at 42.1 s"
 * @param moved effect on partitions that changed their range: above a split point, or of the
 *     absorbed range
 * @param kept effect on the other partitions
 * @param usual effect on the moved partitions in an equally long time before
 */
record Pause(String what, Silence moved, Silence kept, Silence usual) {
    /** A report arrives within a second, and only then the journal has the entry. */
    private static final long AROUND_MILLIS = 1_000;

    /**
     * The effect on clients of some partitions over a time.
     *
     * @param silenceMicros longest time without an answer
     * @param callMicros longest call that ended in the time
     */
    record Silence(long silenceMicros, long callMicros) {
        /** Returns the effect from calls ordered by the times of their answers. */
        static Silence of(
                List<Call> calls, Layout.Partitions where, long fromMillis, long toMillis) {
            long silence = 0;
            long longest = 0;
            long last = fromMillis * 1_000;
            for (Call call : calls) {
                if (call.endMicros() <= fromMillis * 1_000
                        || call.endMicros() > toMillis * 1_000
                        || !where.contains(call.partition())) {
                    continue;
                }
                silence = Math.max(silence, call.endMicros() - last);
                longest = Math.max(longest, call.micros());
                last = call.endMicros();
            }
            return new Silence(Math.max(silence, toMillis * 1_000 - last), longest);
        }
    }

    /** Returns the pauses of all splits that took effect. */
    static List<Pause> ofSplits(RunRecord run) {
        List<Pause> pauses = new ArrayList<>();
        for (Step done : run.steps()) {
            if (done.isDone("SPLIT") && done.ranges().size() == 2) {
                long begun = begun(run, done, "SPLIT");
                of(
                                run,
                                "split of " + done.ranges(),
                                begun,
                                done.millis(),
                                run.firstSeen(done.ranges().get(1), begun),
                                run.firstSeen(done.ranges().get(0), done.millis()))
                        .ifPresent(pauses::add);
            }
        }
        return pauses;
    }

    /** Returns the pauses of all merges that took effect. */
    static List<Pause> ofMerges(RunRecord run) {
        List<Pause> pauses = new ArrayList<>();
        for (Step done : run.steps()) {
            if (done.isDone("MERGE") && done.ranges().size() == 2) {
                long begun = begun(run, done, "MERGE");
                Optional<Layout> before = run.layoutBefore(begun);
                of(
                                run,
                                "merge of " + done.ranges(),
                                begun,
                                done.millis(),
                                before.flatMap(all -> all.partitionsOf(done.ranges().get(1))),
                                before.flatMap(all -> all.partitionsOf(done.ranges().get(0))))
                        .ifPresent(pauses::add);
            }
        }
        return pauses;
    }

    /** Returns when a completed change was decided, or requested. */
    private static long begun(RunRecord run, Step done, String verdict) {
        return run.steps().stream()
                .filter(step -> !step.kind().equals("left") && !step.kind().equals("ended"))
                .filter(step -> step.verdict().equals(verdict))
                .filter(step -> step.millis() <= done.millis())
                .filter(step -> step.ranges().contains(done.ranges().get(0)))
                .map(Step::millis)
                .max(Comparator.naturalOrder())
                .orElse(done.millis() - AROUND_MILLIS);
    }

    private static Optional<Pause> of(
            RunRecord run,
            String what,
            long begunMillis,
            long doneMillis,
            Optional<Layout.Partitions> moved,
            Optional<Layout.Partitions> kept) {
        if (moved.isEmpty() || kept.isEmpty()) {
            return Optional.empty();
        }
        long to = doneMillis + AROUND_MILLIS;
        List<Call> calls = run.calls();
        return Optional.of(
                new Pause(
                        what,
                        Silence.of(calls, moved.get(), begunMillis, to),
                        Silence.of(calls, kept.get(), begunMillis, to),
                        Silence.of(calls, moved.get(), 2 * begunMillis - to, begunMillis)));
    }
}

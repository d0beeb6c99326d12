package io.parterre.server.quarantine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Consecutive runs of a node's process that ended soon after their start and irregularly, each with
 * the entries that were being applied when it ended. Each start applies the entry that ends the
 * process again, at the same place; the other entries differ each time. Pure.
 *
 * @param runs the runs, oldest first
 */
public record CrashLoop(List<Set<ApplyMark>> runs) {
    /** Number of consecutive runs that make a loop. */
    public static final int RUNS = 3;

    public static final CrashLoop NONE = new CrashLoop(List.of());

    public CrashLoop {
        runs = runs.stream().map(Set::copyOf).toList();
    }

    /** Returns the last {@link #RUNS} runs, with one more run added. */
    public CrashLoop after(Set<ApplyMark> marks) {
        List<Set<ApplyMark>> all = new ArrayList<>(runs);
        all.add(marks);
        return new CrashLoop(all.subList(Math.max(0, all.size() - RUNS), all.size()));
    }

    /**
     * Returns the only entry that was being applied at the end of each of the last runs. Empty if
     * there is no loop, or if there are several such entries, for example because a disk hangs at
     * each start: an entry that only waited beside the culprit must not be taken for it.
     */
    public Optional<ApplyMark> culprit() {
        if (runs.size() < RUNS) {
            return Optional.empty();
        }
        Set<ApplyMark> common = new HashSet<>(runs.get(0));
        runs.forEach(common::retainAll);
        return common.size() == 1 ? Optional.of(common.iterator().next()) : Optional.empty();
    }

    /** Returns one line for each run. */
    public String encode() {
        return runs.stream()
                .map(
                        run ->
                                run.stream()
                                        .map(ApplyMark::encode)
                                        .sorted()
                                        .collect(Collectors.joining(" ")))
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }

    /**
     * Reads the result of {@link #encode}.
     *
     * @throws IllegalArgumentException if a line cannot be read
     */
    public static CrashLoop decode(String text) {
        return new CrashLoop(
                text.lines()
                        .map(
                                line ->
                                        Arrays.stream(line.split(" "))
                                                .filter(word -> !word.isEmpty())
                                                .map(ApplyMark::decode)
                                                .collect(Collectors.toSet()))
                        .toList());
    }
}

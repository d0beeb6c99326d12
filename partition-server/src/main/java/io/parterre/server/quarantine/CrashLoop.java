package io.parterre.server.quarantine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Runs of a node's process that ended soon after their start and not by themselves, one after the
 * other, each with what was being applied when it ended. An entry that ends the process is applied
 * again by each start, at the same place; whatever else was being applied is another entry each
 * time. Pure.
 *
 * @param runs the oldest first
 */
public record CrashLoop(List<Set<ApplyMark>> runs) {
    /** So many runs in a row make a loop. */
    public static final int RUNS = 3;

    public static final CrashLoop NONE = new CrashLoop(List.of());

    public CrashLoop {
        runs = runs.stream().map(Set::copyOf).toList();
    }

    /** With one more run, and no more of them than count. */
    public CrashLoop after(Set<ApplyMark> marks) {
        List<Set<ApplyMark>> all = new ArrayList<>(runs);
        all.add(marks);
        return new CrashLoop(all.subList(Math.max(0, all.size() - RUNS), all.size()));
    }

    /**
     * The one entry that was being applied at the end of each of the last runs; empty: there is no
     * loop, or several were, as where a disk hangs at each start. Those that only waited beside the
     * culprit must not be taken for it.
     */
    public Optional<ApplyMark> culprit() {
        if (runs.size() < RUNS) {
            return Optional.empty();
        }
        Set<ApplyMark> common = new HashSet<>(runs.get(0));
        runs.forEach(common::retainAll);
        return common.size() == 1 ? Optional.of(common.iterator().next()) : Optional.empty();
    }

    /** A line a run. */
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
     * Reads what {@link #encode} wrote.
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

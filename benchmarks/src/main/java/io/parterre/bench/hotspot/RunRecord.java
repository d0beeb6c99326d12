package io.parterre.bench.hotspot;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Results of a run.
 *
 * @param calls correctly answered calls, by the time of their answers
 * @param errors other calls, by kind
 * @param held number of acknowledged entities, of which {@code lost} were not found as acknowledged
 */
public record RunRecord(
        List<Phase> phases,
        List<Sample> samples,
        List<Step> steps,
        List<Call> calls,
        Map<String, Long> errors,
        long held,
        Map<String, Long> lost) {
    public RunRecord {
        phases = List.copyOf(phases);
        samples = List.copyOf(samples);
        steps = List.copyOf(steps);
        calls = List.copyOf(calls);
        errors = Map.copyOf(errors);
        lost = Map.copyOf(lost);
    }

    Optional<Phase> phase(PhaseKind kind) {
        return phases.stream().filter(phase -> phase.kind() == kind).findFirst();
    }

    Stream<Step> stepsIn(long fromMillis, long toMillis) {
        return steps.stream()
                .filter(step -> step.millis() >= fromMillis && step.millis() < toMillis);
    }

    Stream<Sample> samplesIn(Phase phase) {
        return samples.stream().filter(sample -> phase.contains(sample.millis()));
    }

    /** Returns the layout of ranges last observed before a moment. */
    Optional<Layout> layoutBefore(long millis) {
        Optional<Layout> last = Optional.empty();
        for (Sample sample : samples) {
            if (sample.millis() >= millis) {
                break;
            }
            last = Optional.of(sample.layout());
        }
        return last;
    }

    /** Returns the partitions of a range when it was first observed after a moment. */
    Optional<Layout.Partitions> firstSeen(long rangeId, long fromMillis) {
        return samples.stream()
                .filter(sample -> sample.millis() >= fromMillis)
                .flatMap(sample -> sample.layout().partitionsOf(rangeId).stream())
                .findFirst();
    }

    /** Returns the journal as lines for people, oldest first. */
    public List<String> journal() {
        return steps.stream().map(Step::line).toList();
    }

    /** Formats as "1 at first, 6 at most, 1 in the end". */
    public String rangeCounts() {
        return "%d at first, %d at most, %d in the end"
                .formatted(
                        samples.get(0).layout().parts().size(),
                        samples.stream()
                                .mapToInt(sample -> sample.layout().parts().size())
                                .max()
                                .orElse(0),
                        samples.get(samples.size() - 1).layout().parts().size());
    }

    long failed() {
        return errors.values().stream().mapToLong(Long::longValue).sum();
    }

    long lostCount() {
        return lost.values().stream().mapToLong(Long::longValue).sum();
    }
}

package io.parterre.bench.load;

import java.util.Map;
import java.util.TreeMap;

/**
 * Results of a run.
 *
 * @param seconds measured time
 * @param operations number of good answers
 * @param entities number of entities read, written or scanned
 * @param errors failed requests by kind; empty if all succeeded
 * @param firstErrors first error text of each kind
 */
public record Measurement(
        double seconds,
        long operations,
        long entities,
        Latency latency,
        Map<String, Long> errors,
        Map<String, String> firstErrors) {
    /** Time from sending to the answer, in microseconds. */
    public record Latency(double p50, double p99, double p999, double max) {}

    public Measurement {
        errors = Map.copyOf(errors);
        firstErrors = Map.copyOf(firstErrors);
    }

    /** Returns this measurement with the errors of its warm-up, which count as well. */
    public Measurement withErrorsOf(Measurement warmUp) {
        Map<String, Long> sum = new TreeMap<>(errors);
        warmUp.errors.forEach((kind, count) -> sum.merge(kind, count, Long::sum));
        Map<String, String> first = new TreeMap<>(firstErrors);
        first.putAll(warmUp.firstErrors);
        return new Measurement(seconds, operations, entities, latency, sum, first);
    }

    public double operationsPerSecond() {
        return operations / seconds;
    }

    public double entitiesPerSecond() {
        return entities / seconds;
    }

    public long errorCount() {
        return errors.values().stream().mapToLong(Long::longValue).sum();
    }
}

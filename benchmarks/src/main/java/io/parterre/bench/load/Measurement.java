package io.parterre.bench.load;

import java.util.Map;
import java.util.TreeMap;

/**
 * What a run measured.
 *
 * @param seconds measured time
 * @param operations good answers
 * @param entities entities they read, wrote or scanned
 * @param errors failed requests by kind; empty if all went well
 * @param firstErrors what was said the first time, by kind
 */
public record Measurement(
        double seconds,
        long operations,
        long entities,
        Latency latency,
        Map<String, Long> errors,
        Map<String, String> firstErrors) {
    /** Time from sent to answered, in microseconds. */
    public record Latency(double p50, double p99, double p999, double max) {}

    public Measurement {
        errors = Map.copyOf(errors);
        firstErrors = Map.copyOf(firstErrors);
    }

    /** With the errors of its warm-up, which are as bad. */
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

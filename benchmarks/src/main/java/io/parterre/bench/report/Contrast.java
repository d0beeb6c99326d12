package io.parterre.bench.report;

import java.util.Map;

/**
 * The same subject measured twice in one run: without the recommended pattern, and with it.
 *
 * @param subject what both measurements are about
 * @param what what was measured, with its unit
 * @param before the first result, for people
 * @param after the second result, for people
 * @param raw the results for programs
 */
public record Contrast(
        String subject, String what, String before, String after, Map<String, Object> raw) {
    public Contrast {
        raw = Map.copyOf(raw);
    }

    /** Returns a contrast of two counts. */
    public static Contrast ofCounts(String subject, String what, long before, long after) {
        return new Contrast(
                subject,
                what,
                Long.toString(before),
                Long.toString(after),
                Map.of("before", before, "after", after));
    }

    /** Returns a contrast of two numbers. */
    public static Contrast of(String subject, String what, double before, double after) {
        return new Contrast(
                subject,
                what,
                Report.number(before),
                Report.number(after),
                Map.of("before", before, "after", after));
    }
}

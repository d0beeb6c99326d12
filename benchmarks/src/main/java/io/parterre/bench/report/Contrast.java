package io.parterre.bench.report;

import java.util.Map;

/**
 * The same measured twice in one run: as one is tempted to do it, and as it should be done.
 *
 * @param subject what both are about
 * @param what was measured, with its unit
 * @param before for a person; so is {@code after}
 * @param raw for programs
 */
public record Contrast(
        String subject, String what, String before, String after, Map<String, Object> raw) {
    public Contrast {
        raw = Map.copyOf(raw);
    }

    /** Two numbers of something that is counted. */
    public static Contrast ofCounts(String subject, String what, long before, long after) {
        return new Contrast(
                subject,
                what,
                Long.toString(before),
                Long.toString(after),
                Map.of("before", before, "after", after));
    }

    /** Two numbers. */
    public static Contrast of(String subject, String what, double before, double after) {
        return new Contrast(
                subject,
                what,
                Report.number(before),
                Report.number(after),
                Map.of("before", before, "after", after));
    }
}

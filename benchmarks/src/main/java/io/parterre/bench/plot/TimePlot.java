package io.parterre.bench.plot;

import java.util.List;
import java.util.Locale;

/**
 * A rate over time, made up of bands that lie on each other; below it a number that steps up and
 * down; and marks across both. Times are seconds since the run began.
 *
 * @param seconds how long the run was
 * @param binSeconds each value of a band is the rate of so long
 * @param spans what was done when, told above; shown where they begin
 */
public record TimePlot(
        String title,
        double seconds,
        double binSeconds,
        String rateName,
        List<Band> bands,
        String countName,
        List<Count> counts,
        List<Span> spans,
        List<MarkKind> kinds,
        List<Mark> marks) {
    private static final int WIDTH = 1_100;
    private static final int HEIGHT = 540;
    private static final int LEFT = 60;
    private static final int RIGHT = 20;
    private static final int RATE_TOP = 92;
    private static final int RATE_BOTTOM = 372;
    private static final int COUNT_TOP = 400;
    private static final int COUNT_BOTTOM = 480;
    private static final int LEGEND = 525;
    private static final int TICKS = 5;
    private static final String GRID = "#dddddd";
    private static final String COUNT_COLOUR = "#333333";

    /** One part of the rate. */
    public record Band(String name, String colour, double[] values) {
        public Band {
            values = values.clone();
        }

        @Override
        public double[] values() {
            return values.clone();
        }
    }

    /** The number from a moment on. */
    public record Count(double second, int value) {}

    /** What begins at a moment. */
    public record Span(double second, String words) {}

    /** What marks mean that have this colour. */
    public record MarkKind(String name, String colour) {}

    /**
     * Something that happened.
     *
     * @param kind one of the plot's
     * @param words for who rests on it
     */
    public record Mark(double second, MarkKind kind, String words) {}

    public TimePlot {
        bands = List.copyOf(bands);
        counts = List.copyOf(counts);
        spans = List.copyOf(spans);
        kinds = List.copyOf(kinds);
        marks = List.copyOf(marks);
    }

    /** The picture. */
    public String svg() {
        Svg svg = new Svg(WIDTH, HEIGHT);
        svg.words(LEFT, 20, "start", title);
        drawRate(svg);
        drawCounts(svg);
        drawTimes(svg);
        for (Mark mark : marks) {
            svg.line(
                    x(mark.second()),
                    RATE_TOP,
                    x(mark.second()),
                    COUNT_BOTTOM,
                    mark.kind().colour(),
                    String.format(Locale.ROOT, "%.1f s: %s", mark.second(), mark.words()));
        }
        drawSpans(svg);
        drawLegend(svg);
        return svg.toString();
    }

    private double x(double second) {
        return LEFT + (WIDTH - LEFT - RIGHT) * second / seconds;
    }

    private void drawRate(Svg svg) {
        int bins = bands.isEmpty() ? 0 : bands.get(0).values().length;
        double[] below = new double[bins];
        double most = 1;
        for (int i = 0; i < bins; i++) {
            int bin = i;
            most = Math.max(most, bands.stream().mapToDouble(band -> band.values()[bin]).sum());
        }
        double top = rounded(most);
        drawScale(svg, RATE_TOP, RATE_BOTTOM, top, rateName);
        for (Band band : bands) {
            double[] values = band.values();
            StringBuilder up = new StringBuilder();
            StringBuilder back = new StringBuilder();
            for (int i = 0; i < bins; i++) {
                double x = x((i + 0.5) * binSeconds);
                back.insert(0, Svg.point(x, y(below[i], top)));
                below[i] += values[i];
                up.append(Svg.point(x, y(below[i], top)));
            }
            svg.area((up + back.toString()).trim(), band.colour());
        }
    }

    private static double y(double value, double top) {
        return RATE_BOTTOM - (RATE_BOTTOM - RATE_TOP) * value / top;
    }

    /** The next number that divides into ticks nicely. */
    private static double rounded(double most) {
        double unit = Math.pow(10, Math.floor(Math.log10(most)));
        for (double factor : new double[] {1, 1.5, 2, 2.5, 3, 4, 5, 7.5}) {
            if (most <= factor * unit) {
                return factor * unit;
            }
        }
        return 10 * unit;
    }

    private static void drawScale(Svg svg, int top, int bottom, double most, String name) {
        for (int i = 0; i <= TICKS; i++) {
            double y = bottom - (double) (bottom - top) * i / TICKS;
            svg.line(LEFT, y, WIDTH - RIGHT, y, GRID);
            svg.words(LEFT - 6, y + 4, "end", number(most * i / TICKS));
        }
        svg.words(LEFT, top - 6, "start", name);
    }

    private static String number(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.1f", value);
    }

    private void drawCounts(Svg svg) {
        int most = counts.stream().mapToInt(Count::value).max().orElse(1);
        int top = Math.max(TICKS, (most + TICKS - 1) / TICKS * TICKS);
        drawScale(svg, COUNT_TOP, COUNT_BOTTOM, top, countName);
        StringBuilder points = new StringBuilder();
        double last = COUNT_BOTTOM;
        for (Count count : counts) {
            double y = COUNT_BOTTOM - (double) (COUNT_BOTTOM - COUNT_TOP) * count.value() / top;
            if (!points.isEmpty()) {
                points.append(Svg.point(x(count.second()), last));
            }
            points.append(Svg.point(x(count.second()), y));
            last = y;
        }
        points.append(Svg.point(x(seconds), last));
        svg.path(points.toString().trim(), COUNT_COLOUR);
    }

    private void drawTimes(Svg svg) {
        double step = seconds > 300 ? 60 : 20;
        for (double second = 0; second <= seconds; second += step) {
            svg.line(x(second), COUNT_BOTTOM, x(second), COUNT_BOTTOM + 4, COUNT_COLOUR);
            svg.words(x(second), COUNT_BOTTOM + 16, "middle", number(second) + " s");
        }
    }

    private void drawSpans(Svg svg) {
        for (int i = 0; i < spans.size(); i++) {
            Span span = spans.get(i);
            // Neighbours may be short: their words stand at different heights.
            int y = 38 + i % 3 * 13;
            svg.line(x(span.second()), y - 9, x(span.second()), COUNT_BOTTOM, "#999999");
            svg.words(x(span.second()) + 3, y, "start", span.words());
        }
    }

    private void drawLegend(Svg svg) {
        double x = LEFT;
        for (Band band : bands) {
            svg.rectangle(x, LEGEND - 9, 12, 10, band.colour());
            svg.words(x + 16, LEGEND, "start", band.name());
            x += 40 + 7 * band.name().length();
        }
        for (MarkKind kind : kinds) {
            svg.rectangle(x, LEGEND - 10, 2, 12, kind.colour());
            svg.words(x + 6, LEGEND, "start", kind.name());
            x += 30 + 7 * kind.name().length();
        }
    }
}

package io.parterre.bench.plot;

import java.util.Locale;

/** Text of an SVG picture, shape by shape. Lengths are in pixels. Not thread-safe. */
final class Svg {
    private final StringBuilder text = new StringBuilder();

    Svg(int width, int height) {
        text.append(
                String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                                + " viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
                                + " font-size=\"11\">%n",
                        width,
                        height,
                        width,
                        height));
        rectangle(0, 0, width, height, "#ffffff");
    }

    void rectangle(double x, double y, double width, double height, String colour) {
        add(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>%n",
                x, y, width, height, colour);
    }

    void line(double x1, double y1, double x2, double y2, String colour) {
        add(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>%n",
                x1, y1, x2, y2, colour);
    }

    /** A line with something to read for who rests on it. */
    void line(double x1, double y1, double x2, double y2, String colour, String words) {
        add(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\""
                        + " stroke-width=\"1.5\"><title>%s</title></line>%n",
                x1, y1, x2, y2, colour, escaped(words));
    }

    /**
     * An area.
     *
     * @param points as "x,y x,y"
     */
    void area(String points, String colour) {
        add("<polygon points=\"%s\" fill=\"%s\"/>%n", points, colour);
    }

    /** A line through points. */
    void path(String points, String colour) {
        add("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\"/>%n", points, colour);
    }

    /**
     * A line of words.
     *
     * @param anchor start, middle or end
     */
    void words(double x, double y, String anchor, String words) {
        add(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"#333333\">%s</text>%n",
                x, y, anchor, escaped(words));
    }

    static String point(double x, double y) {
        return String.format(Locale.ROOT, "%.1f,%.1f ", x, y);
    }

    private void add(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values));
    }

    private static String escaped(String words) {
        return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    /** The whole picture. */
    @Override
    public String toString() {
        return text + "</svg>\n";
    }
}

package io.parterre.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

final class TimePlotTest {
    private static final TimePlot.MarkKind SPLIT = new TimePlot.MarkKind("split", "#ff0000");
    private static final TimePlot.MarkKind MERGE = new TimePlot.MarkKind("merge", "#00ff00");

    private static Document drawn(TimePlot plot) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(plot.svg())));
    }

    private static List<Element> elements(Document picture, String name, String colour) {
        NodeList found = picture.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            Element each = (Element) found.item(i);
            if (each.getAttribute("stroke").equals(colour)
                    || each.getAttribute("fill").equals(colour)) {
                elements.add(each);
            }
        }
        return elements;
    }

    private static TimePlot plot(List<TimePlot.Mark> marks) {
        return new TimePlot(
                "a < b & c",
                100,
                10,
                "calls a second",
                List.of(
                        new TimePlot.Band("s1", "#111111", new double[] {10, 20, 30, 40}),
                        new TimePlot.Band("s2", "#222222", new double[] {0, 5, 0, 60})),
                "ranges",
                List.of(new TimePlot.Count(0, 1), new TimePlot.Count(40, 2)),
                List.of(new TimePlot.Span(0, "even"), new TimePlot.Span(20, "hot")),
                List.of(SPLIT, MERGE),
                marks);
    }

    @Test
    void plotDrawsMarkAtItsTimeWithItsText() throws Exception {
        Document picture =
                drawn(
                        plot(
                                List.of(
                                        new TimePlot.Mark(0, SPLIT, "at once"),
                                        new TimePlot.Mark(100, SPLIT, "rate > 5 & more"),
                                        new TimePlot.Mark(50, MERGE, "later"))));

        List<Element> splits = elements(picture, "line", "#ff0000");
        assertThat(splits).hasSize(2);
        double first = Double.parseDouble(splits.get(0).getAttribute("x1"));
        double last = Double.parseDouble(splits.get(1).getAttribute("x1"));
        Element merge = elements(picture, "line", "#00ff00").get(0);
        assertThat(Double.parseDouble(merge.getAttribute("x1"))).isEqualTo((first + last) / 2);
        assertThat(splits.get(1).getTextContent()).isEqualTo("100.0 s: rate > 5 & more");
    }

    @Test
    void plotStacksBandsOnEachOther() throws Exception {
        Document picture = drawn(plot(List.of()));

        List<String> lower = pointsOf(elements(picture, "polygon", "#111111").get(0));
        List<String> upper = pointsOf(elements(picture, "polygon", "#222222").get(0));
        assertThat(lower).hasSize(8);
        // What the lower one has above, from left to right, the upper one has below, backwards.
        for (int i = 0; i < 4; i++) {
            assertThat(upper.get(7 - i)).isEqualTo(lower.get(i));
        }
    }

    private static List<String> pointsOf(Element polygon) {
        return List.of(polygon.getAttribute("points").split(" "));
    }

    @Test
    void plotDrawsCountAsSteps() throws Exception {
        List<String> points =
                pointsOf(elements(drawn(plot(List.of())), "polyline", "#333333").get(0));
        assertThat(points).hasSize(4);
        assertThat(points.get(1).split(",")[0]).isEqualTo(points.get(2).split(",")[0]);
        assertThat(points.get(2).split(",")[1]).isEqualTo(points.get(3).split(",")[1]);
    }

    @Test
    void plotIsDrawn_withoutAnyCalls() throws Exception {
        TimePlot empty =
                new TimePlot(
                        "nothing", 10, 2, "calls", List.of(), "ranges", List.of(), List.of(),
                        List.of(), List.of());
        assertThat(drawn(empty).getDocumentElement().getTagName()).isEqualTo("svg");
    }
}

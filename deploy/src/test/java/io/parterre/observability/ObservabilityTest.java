package io.parterre.observability;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.deploy.admin.ProcessMeters;
import io.parterre.observability.DeclaredMeters.Meter;
import io.parterre.observability.ObservabilityList.Alert;
import io.parterre.observability.ObservabilityList.Dashboard;
import io.parterre.observability.ObservabilityList.Panel;
import io.parterre.observability.ObservabilityList.Series;
import io.parterre.observability.ObservabilityList.Variable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Dashboards and alerts are what their list gives, ask for what processes tell, and lead to a
 * run-book. With {@code -Dparterre.observability.write=true} the files are written.
 */
final class ObservabilityTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Pattern SAMPLE = Pattern.compile("(?m)^(\\w+)(?:\\{(.*)})? \\S+$");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");
    private static final Pattern SHOWN = Pattern.compile("\\{\\{ *(?:\\$labels\\.)?(\\w+) *}}");

    /** Labels that the scrape adds, and the placeholder that stands for some of them. */
    private static final Set<String> OF_TARGETS = Set.of("PROCESS", "SELECTOR", "job");

    private static ObservabilityList list() throws IOException {
        return ObservabilityList.read(ROOT.resolve("deploy/observability/list.yaml"));
    }

    /** An expression, and what is written beside its result. */
    private record Asked(String where, PromExpression expression, String text) {}

    private static List<Asked> asked() throws IOException {
        List<Asked> asked = new ArrayList<>();
        for (Alert each : list().alerts()) {
            asked.add(new Asked(each.name(), PromExpression.of(each.expr()), each.summary()));
        }
        for (Dashboard dashboard : list().dashboards()) {
            for (Panel panel : dashboard.panels()) {
                for (Series each : panel.series()) {
                    PromExpression expression = PromExpression.of(each.expr());
                    asked.add(new Asked(panel.title(), expression, each.legend()));
                }
            }
        }
        return asked;
    }

    /** Labels of each series that a process tells. */
    private static Map<String, Set<String>> told() throws IOException {
        Map<String, Set<String>> told = new HashMap<>(Map.of("up", Set.of()));
        for (Meter meter : DeclaredMeters.read(ROOT)) {
            for (String series : meter.series()) {
                Set<String> labels = told.computeIfAbsent(series, name -> new TreeSet<>());
                labels.addAll(meter.labels());
                if (series.endsWith("_bucket")) {
                    labels.add("le");
                }
            }
        }
        try (ProcessMeters process = new ProcessMeters("1.2.3")) {
            Matcher sample = SAMPLE.matcher(process.registry().scrape());
            while (sample.find()) {
                Set<String> labels = told.computeIfAbsent(sample.group(1), name -> new TreeSet<>());
                if (sample.group(2) != null) {
                    LABEL.matcher(sample.group(2)).results().forEach(l -> labels.add(l.group(1)));
                }
            }
        }
        return told;
    }

    @Test
    void filesAreWhatListGives() throws IOException {
        boolean write = Boolean.getBoolean("parterre.observability.write");
        Map<String, String> files = ObservabilityFiles.of(list());
        assertThat(files).hasSizeGreaterThan(4);
        for (Map.Entry<String, String> each : files.entrySet()) {
            Path file = ROOT.resolve(each.getKey());
            if (write) {
                Files.createDirectories(file.getParent());
                Files.writeString(file, each.getValue());
            }
            assertThat(file).as("see deploy/observability/README.md").hasContent(each.getValue());
        }
        try (Stream<Path> there = Files.list(ROOT.resolve("deploy/observability/dashboards"))) {
            assertThat(there.map(file -> ROOT.relativize(file).toString()))
                    .as("a dashboard that has left the list")
                    .allMatch(files::containsKey);
        }
    }

    @Test
    void expressionsNameSeriesAndLabelsThatAreTold() throws IOException {
        Map<String, Set<String>> told = told();
        for (Asked each : asked()) {
            Set<String> known = new TreeSet<>(OF_TARGETS);
            each.expression()
                    .matched()
                    .forEach(
                            (series, labels) -> {
                                assertThat(told).as(each.where()).containsKey(series);
                                Set<String> own = new TreeSet<>(told.get(series));
                                known.addAll(own);
                                own.addAll(OF_TARGETS);
                                assertThat(own).as(each.where() + " " + series).containsAll(labels);
                                assertThat(labels).as(each.where() + series).contains("SELECTOR");
                            });
            assertThat(each.expression().matched()).as(each.where()).isNotEmpty();
            assertThat(known).as(each.where()).containsAll(each.expression().grouped());
            Matcher shown = SHOWN.matcher(each.text());
            while (shown.find()) {
                assertThat(known).as(each.where()).contains(shown.group(1));
            }
        }
    }

    @Test
    void variablesAreLabelsThatAreTold() throws IOException {
        for (Dashboard dashboard : list().dashboards()) {
            for (Variable each : dashboard.variables()) {
                assertThat(told().get(each.meter())).as(each.name()).contains(each.label());
            }
        }
    }

    @Test
    void everyMeterServesPanelOrAlert() throws IOException {
        Set<String> used = new TreeSet<>();
        asked().forEach(each -> used.addAll(each.expression().matched().keySet()));
        for (Meter meter : DeclaredMeters.read(ROOT)) {
            assertThat(used).as(meter.name()).containsAnyElementsOf(meter.series());
        }
    }

    /** As GitHub makes them of headings. */
    private static Set<String> sections() throws IOException {
        Set<String> sections = new TreeSet<>();
        for (String line : Files.readAllLines(ROOT.resolve("docs/operations.md"))) {
            if (line.matches("#+ .*")) {
                String title = line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT);
                sections.add(title.replaceAll("[^\\w -]", "").replace(' ', '-'));
            }
        }
        return sections;
    }

    @Test
    void everyAlertHasRunBook() throws IOException {
        Set<String> sections = sections();
        List<Alert> alerts = list().alerts();
        assertThat(alerts).hasSizeGreaterThan(20);
        assertThat(alerts).extracting(Alert::name).doesNotHaveDuplicates();
        assertThat(alerts)
                .allSatisfy(
                        alert -> {
                            assertThat(sections).as(alert.name()).contains(alert.runbook());
                            assertThat(alert.severity()).isIn("warning", "critical");
                            assertThat(alert.duration()).matches("\\d+[mhd]");
                        });
    }

    @Test
    void namesOfExpressionAreFound() {
        PromExpression expression =
                PromExpression.of(
                        "sum by (le, code) (rate(a_bucket{kind=~\"x|y{\",SELECTOR}[5m])) > 1e3"
                                + " and on (pod) max(b offset 5m) unless c{} == 2");
        assertThat(expression.matched())
                .isEqualTo(
                        Map.of(
                                "a_bucket",
                                Set.of("kind", "SELECTOR"),
                                "b",
                                Set.of(),
                                "c",
                                Set.of()));
        assertThat(expression.grouped()).containsExactly("code", "le", "pod");
    }
}

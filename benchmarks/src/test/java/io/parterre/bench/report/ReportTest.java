package io.parterre.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.bench.load.Measurement;
import io.parterre.bench.load.Measurement.Latency;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ReportTest {
    private static final Machine MACHINE = new Machine("cpu", 2, 1, "os", "java", "0.1");

    private static Row row(String system, String unit, long operations, long entities) {
        return new Row(
                system,
                "insert",
                unit,
                16,
                Double.NaN,
                new Measurement(
                        2,
                        operations,
                        entities,
                        new Latency(1_500, 20_000, Double.NaN, 60_000),
                        Map.of("status 503", 3L),
                        Map.of()));
    }

    @Test
    void reportRowShowsRateInItsUnit() {
        assertThat(Report.line(row("parterre", "operations", 3_000, 0)))
                .isEqualTo(
                        "| insert | 16 | parterre | 1,500 | operations |"
                                + " 1.50 | 20 | - | 60 | - | 3 |");
        assertThat(Report.line(row("parterre", "entities", 30, 3_000))).contains("| 1,500 | ent");
    }

    @Test
    void reportShowsRatioOfSystemsPerRow() {
        StringWriter text = new StringWriter();
        Report report = new Report("title", MACHINE, new PrintWriter(text));
        report.row(row("parterre", "operations", 3_000, 0));
        report.row(row("emulator", "operations", 200, 0));
        report.printRatios("parterre");
        assertThat(text.toString())
                .contains("| workload | connections | parterre | emulator | x |")
                .contains("| insert | 16 | 1,500 | 100 | 15.00 |");
    }

    @Test
    void reportShowsContrastSideBySide() {
        StringWriter text = new StringWriter();
        Report report = new Report("title", MACHINE, new PrintWriter(text));
        report.contrasts(List.of(Contrast.of("append", "entities a second", 812.25, 12_345)));
        report.printContrasts();
        assertThat(text.toString()).contains("| append | entities a second | 812 | 12,345 |");
    }

    @Test
    void reportShowsFiguresBesideTheirTargets() {
        StringWriter text = new StringWriter();
        Report report = new Report("title", MACHINE, new PrintWriter(text));
        report.figures(
                new Figures("0.1 to 2")
                        .held("N1", "kill", "p50 1 s", "p50 2 s", false, Map.of())
                        .count("N15", "lost", 0)
                        .count("N15", "lost", 3)
                        .fact("N20", "idle", "1 %", Map.of())
                        .all());
        report.printFigures();
        assertThat(text.toString())
                .contains("| N1 | kill | p50 1 s | p50 2 s | NO | 0.1 to 2 |")
                .contains("| N15 | lost | 0 | 0 | yes | 0.1 to 2 |")
                .contains("| N15 | lost | 0 | 3 | NO | 0.1 to 2 |")
                .contains("| N20 | idle |  | 1 % |  | 0.1 to 2 |");
    }
}

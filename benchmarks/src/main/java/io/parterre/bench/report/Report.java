package io.parterre.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Results of a run: facts, each with its unit in its name or value, rows, and figures compared with
 * bars. Prints lines as they are found, so that a long run can be watched. Not thread-safe.
 */
public final class Report {
    private static final String HEAD =
            "| workload | connections | system | per second | unit | p50 ms | p99 ms | p99.9 ms |"
                    + " max ms | CPU us/op | errors |\n"
                    + "|---|--:|---|--:|---|--:|--:|--:|--:|--:|--:|";

    private static final String FIGURES_HEAD =
            "| id | what | bar | measured | held | load average |\n|---|---|---|---|---|---|";

    private static final String CONTRASTS_HEAD =
            "| subject | what | before | after |\n|---|---|--:|--:|";

    private final String title;
    private final Machine machine;
    private final PrintWriter out;
    private final Map<String, Object> facts = new LinkedHashMap<>();
    private final List<Row> rows = new ArrayList<>();
    private final List<Figure> figures = new ArrayList<>();
    private final List<Contrast> contrasts = new ArrayList<>();

    public Report(String title, Machine machine, PrintWriter out) {
        this.title = title;
        this.machine = machine;
        this.out = out;
        out.println("# " + title);
        out.println(machine);
        out.println();
        out.flush();
    }

    /** Records and prints a fact. */
    public void fact(String name, Object value) {
        facts.put(name, value);
        out.println("- " + name + ": " + value);
        out.flush();
    }

    /** Records and prints a fact with one decimal place. */
    public void fact(String name, double value, String unit) {
        fact(name, number(value) + " " + unit);
    }

    /** Records and prints a row. */
    public void row(Row row) {
        if (rows.isEmpty()) {
            out.println();
            out.println(HEAD);
        }
        rows.add(row);
        out.println(line(row));
        row.measurement()
                .firstErrors()
                .forEach((kind, said) -> out.println("  error: " + kind + ": " + oneLine(said)));
        out.flush();
    }

    /** Records figures; {@link #printFigures} prints them together. */
    public void figures(List<Figure> found) {
        figures.addAll(found);
    }

    /** Prints the recorded figures as one table. */
    public void printFigures() {
        out.println();
        out.println(FIGURES_HEAD);
        figures.forEach(figure -> out.println(line(figure)));
        out.flush();
    }

    /** Records contrasts; {@link #printContrasts} prints them together. */
    public void contrasts(List<Contrast> found) {
        contrasts.addAll(found);
    }

    /** Prints the recorded contrasts as one table. */
    public void printContrasts() {
        out.println();
        out.println(CONTRASTS_HEAD);
        contrasts.forEach(each -> out.println(line(each)));
        out.flush();
    }

    static String line(Contrast contrast) {
        return String.join(
                " | ",
                "| " + contrast.subject(),
                contrast.what(),
                contrast.before(),
                contrast.after() + " |");
    }

    static String line(Figure figure) {
        return String.join(
                " | ",
                "| " + figure.id(),
                figure.what(),
                figure.bar(),
                figure.measured(),
                figure.verdict(),
                figure.loadAverage() + " |");
    }

    public List<Row> rows() {
        return List.copyOf(rows);
    }

    /** Prints the comparison of a system with each of the others, row by row. */
    public void printRatios(String system) {
        List<String> others =
                rows.stream().map(Row::system).distinct().filter(s -> !s.equals(system)).toList();
        out.println();
        out.print("| workload | connections | " + system);
        others.forEach(other -> out.print(" | " + other + " | x"));
        out.println(" |");
        out.println("|---|--:|--:" + "|--:|--:".repeat(others.size()) + "|");
        for (Row row : rows) {
            if (row.system().equals(system)) {
                out.print("| " + row.workload() + " | " + row.connections());
                out.print(" | " + number(row.perSecond()));
                for (String other : others) {
                    out.print(" | " + comparison(row, other));
                }
                out.println(" |");
            }
        }
        out.flush();
    }

    private String comparison(Row row, String other) {
        return rows.stream()
                .filter(candidate -> candidate.system().equals(other))
                .filter(row::comparesWith)
                .findFirst()
                .map(
                        found ->
                                number(found.perSecond())
                                        + " | "
                                        + decimals(row.perSecond() / found.perSecond(), 2))
                .orElse("- | -");
    }

    /** Writes all results for programs. */
    public void writeJson(Path file) throws IOException {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("title", title);
        all.put("machine", machine);
        all.put("facts", facts);
        all.put("rows", rows);
        if (!figures.isEmpty()) {
            all.put("figures", figures.stream().map(Report::forPrograms).toList());
        }
        if (!contrasts.isEmpty()) {
            all.put("contrasts", contrasts);
        }
        ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        Files.write(file, mapper.writeValueAsBytes(all));
    }

    private static Map<String, Object> forPrograms(Figure figure) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", figure.id());
        fields.put("what", figure.what());
        fields.put("bar", figure.bar());
        fields.put("measured", figure.measured());
        figure.held().ifPresent(held -> fields.put("held", held));
        fields.put("loadAverage", figure.loadAverage());
        fields.put("raw", figure.raw());
        return fields;
    }

    static String line(Row row) {
        var latency = row.measurement().latency();
        return String.join(
                " | ",
                "| " + row.workload(),
                Integer.toString(row.connections()),
                row.system(),
                number(row.perSecond()),
                row.unit(),
                millis(latency.p50()),
                millis(latency.p99()),
                millis(latency.p999()),
                millis(latency.max()),
                number(row.cpuMicrosPerOperation()),
                row.measurement().errorCount() + " |");
    }

    private static String millis(double micros) {
        return decimals(micros / 1000, micros < 10_000 ? 2 : 0);
    }

    static String number(double value) {
        return decimals(value, Math.abs(value) < 100 ? 1 : 0);
    }

    private static String decimals(double value, int digits) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%,." + digits + "f", value);
    }

    private static String oneLine(String said) {
        return said.replaceAll("\\s+", " ");
    }
}

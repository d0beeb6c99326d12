package io.parterre.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.parterre.bench.load.Measurement;
import io.parterre.bench.report.Report;
import io.parterre.bench.report.Row;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class MeasuringCommandTest {
    @TempDir private Path folder;

    @Command(name = "probe")
    static final class Probe extends MeasuringCommand {
        @Override
        String title() {
            return "a probe";
        }

        @Override
        void measure(Report report) {
            report.row(
                    new Row(
                            "parterre",
                            "point read",
                            "operations",
                            16,
                            Double.NaN,
                            new Measurement(
                                    2,
                                    1_000,
                                    1_000,
                                    new Measurement.Latency(1, 2, 3, 4),
                                    Map.of(),
                                    Map.of())));
        }
    }

    @Test
    void everyRowIsKeptAsJson_besideThePrintedOne() throws Exception {
        StringWriter out = new StringWriter();
        Path json = folder.resolve("probe.json");

        int status =
                new CommandLine(new Probe())
                        .setOut(new PrintWriter(out))
                        .execute("--json", json.toString());

        assertThat(status).isZero();
        assertThat(out.toString())
                .contains("| point read | 16 | parterre | 500 |")
                .contains("probe.json");
        JsonNode row = new ObjectMapper().readTree(json.toFile()).path("rows").path(0);
        assertThat(row.path("connections").asInt()).isEqualTo(16);
        assertThat(row.path("measurement").path("operations").asInt()).isEqualTo(1_000);
        assertThat(row.path("measurement").path("latency").path("p99").asDouble()).isEqualTo(2);
    }
}

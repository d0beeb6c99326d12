package io.parterre.bench;

import io.parterre.bench.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import picocli.CommandLine.Option;

/** Options for the folder of a command's servers, and for the file of its results. */
final class PlaceOptions {
    @Option(
            names = "--folder",
            paramLabel = "FOLDER",
            defaultValue = "${sys:java.io.tmpdir}/parterre-benchmarks",
            description = "Where servers keep their data; on the disk that is to be measured.")
    private Path folder;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Where the results go; default: a new file in benchmarks/results.")
    private Path json;

    Path folder() {
        return folder.toAbsolutePath();
    }

    /** Writes the command's results for programs; the script names the folder. */
    void keep(Report report, String command) throws IOException {
        String results = System.getProperty("benchmarks.results");
        if (json == null && results != null) {
            Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
            String time = now.toString().replace(":", "");
            json =
                    Files.createDirectories(Path.of(results))
                            .resolve(command + "-" + time + ".json");
        }
        if (json != null) {
            report.writeJson(json);
            report.fact("results", json);
        }
    }
}

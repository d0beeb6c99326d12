package io.parterre.bench;

import io.parterre.bench.report.Report;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where a command's servers keep their data, and where its results go. */
final class PlaceOptions {
    @Option(
            names = "--folder",
            paramLabel = "FOLDER",
            defaultValue = "${sys:java.io.tmpdir}/parterre-benchmarks",
            description = "Where servers keep their data; on the disk that is to be measured.")
    private Path folder;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the results there.")
    private Path json;

    Path folder() {
        return folder.toAbsolutePath();
    }

    void close(Report report) throws IOException {
        if (json != null) {
            report.writeJson(json);
        }
    }
}

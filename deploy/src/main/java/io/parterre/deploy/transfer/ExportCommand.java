package io.parterre.deploy.transfer;

import io.parterre.deploy.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parterre export}. */
@Command(
        name = "export",
        description = {
            "Reads a table of any Azure Table endpoint into a folder of files. Entities that"
                    + " change",
            "meanwhile are read before or after: for a state of one moment there are backups."
        },
        footer = {
            "  parterre export orders --connection-file production.txt --out orders-export",
            "  parterre export orders --connection-file production.txt --out f --format csv"
        })
public final class ExportCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private EndpointOptions endpoint;
    @Mixin private RunOptions run;

    @Parameters(paramLabel = "TABLE", description = "The table to read.")
    private String table;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            required = true,
            description = {
                "Folder for the files. After a failure or a kill the same command goes on in it;",
                "export.json in it says that it is whole."
            })
    private Path folder;

    /** Format of the files. */
    enum Format {
        JSONL,
        CSV
    }

    @Option(
            names = "--format",
            paramLabel = "jsonl|csv",
            defaultValue = "jsonl",
            description = "Several files of JSON lines, or one of CSV. Default: jsonl.")
    private Format format;

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        try {
            TableEndpoint from = endpoint.endpoint();
            ExportFolder export = new ExportFolder(folder);
            Files.createDirectories(folder);
            if (export.isWhole()) {
                err.println(
                        "parterre: " + folder + " holds a whole export (expected: a new folder)");
                return ExitCode.REFUSED.code();
            }
            Checkpoint checkpoint =
                    new Checkpoint(
                            export.checkpoint(), "export of " + table + " from " + from.base());
            List<Part> parts =
                    new Transfer(
                                    new EndpointSource(
                                            new TableClient(from, Clock.systemUTC()), table),
                                    new FolderSink(folder),
                                    checkpoint,
                                    run.parallel(),
                                    run.pace(),
                                    err)
                            .run();
            long entities = finish(export, parts);
            checkpoint.delete();
            spec.commandLine()
                    .getOut()
                    .printf("exported %d entities of %s to %s%n", entities, table, folder);
            return ExitCode.OK.code();
        } catch (IOException failure) {
            return RunOptions.failed(err, failure);
        }
    }

    private long finish(ExportFolder export, List<Part> parts) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Part each :
                parts.stream()
                        .filter(part -> part.entities() > 0)
                        .sorted(Comparator.comparing(Part::from))
                        .toList()) {
            files.add(FolderSink.file(folder, each));
        }
        long entities = parts.stream().mapToLong(Part::entities).sum();
        if (format == Format.CSV) {
            Path csv = export.toCsv(table, files);
            export.finish(table, entities, List.of(csv));
            for (Path each : files) {
                Files.delete(each);
            }
        } else {
            export.finish(table, entities, files);
        }
        // Removes the files of parts that turned out to be empty.
        for (Part each : parts) {
            if (each.entities() == 0) {
                Files.deleteIfExists(FolderSink.file(folder, each));
            }
        }
        return entities;
    }
}

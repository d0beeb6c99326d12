package io.parterre.deploy.transfer;

import io.parterre.deploy.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code parterre import}. */
@Command(
        name = "import",
        description = {
            "Writes entities from files, or from a table of any Azure Table endpoint, into a"
                    + " table.",
            "What is there under the same keys is replaced. Entities get new timestamps and ETags."
        },
        footer = {
            "  parterre import orders --connection-file parterre.txt --from orders-export",
            "  parterre import orders --connection-file parterre.txt --from"
                    + " account_orders.manifest",
            "  parterre import orders --connection-file parterre.txt --from-connection-file"
                    + " azure.txt"
        })
public final class ImportCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;
    @Mixin private EndpointOptions endpoint;
    @Mixin private RunOptions run;

    @Parameters(paramLabel = "TABLE", description = "The table to write; created if there is none.")
    private String table;

    @ArgGroup(multiplicity = "1")
    private Origin origin;

    /** Options for the origin of entities. */
    static final class Origin {
        @Option(
                names = "--from",
                paramLabel = "PATH",
                arity = "1..*",
                description = {
                    "Files that end in .jsonl, .csv or .json, a folder that an export has made, or",
                    "the .manifest of an export by AzCopy 7."
                })
        private List<Path> files = List.of();

        @Option(
                names = "--from-connection-file",
                paramLabel = "FILE",
                description = "File with the connection string of the service to read from.")
        private Optional<Path> connection = Optional.empty();
    }

    @Option(
            names = "--from-table",
            paramLabel = "NAME",
            description = "With --from-connection-file: the table to read. Default: TABLE.")
    private Optional<String> fromTable = Optional.empty();

    @Option(names = "--merge", description = "Properties that are there and are not imported stay.")
    private boolean merge;

    @Option(
            names = "--checkpoint",
            paramLabel = "FILE",
            description = {
                "File that says how far the import is. After a failure or a kill the same command",
                "goes on from there; removed at the end. Default: TABLE.import in this folder."
            })
    private Optional<Path> checkpoint = Optional.empty();

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        TableEndpoint to = endpoint.endpoint();
        TableClient client = new TableClient(to, Clock.systemUTC());
        try (TableSink sink = new TableSink(client, table, merge, run.parallel())) {
            Checkpoint noted =
                    new Checkpoint(
                            checkpoint.orElseGet(() -> Path.of(table + ".import")).toAbsolutePath(),
                            "import of " + table + " at " + to.base() + " from " + origin());
            Source source = source();
            client.createTable(table);
            List<Part> parts =
                    new Transfer(source, sink, noted, run.parallel(), run.pace(), err).run();
            noted.delete();
            spec.commandLine()
                    .getOut()
                    .printf(
                            "imported %d entities into %s%n",
                            parts.stream().mapToLong(Part::entities).sum(), table);
            return ExitCode.OK.code();
        } catch (IOException failure) {
            return RunOptions.failed(err, failure);
        }
    }

    private String origin() {
        return origin.connection
                .map(file -> fromTable.orElse(table) + " at " + other(file).base())
                .orElseGet(() -> origin.files.toString());
    }

    private TableEndpoint other(Path file) {
        return EndpointOptions.read(spec, "--from-connection-file", file);
    }

    private Source source() throws IOException {
        if (origin.connection.isPresent()) {
            return new EndpointSource(
                    new TableClient(other(origin.connection.get()), Clock.systemUTC()),
                    fromTable.orElse(table));
        }
        List<Path> files = new ArrayList<>();
        for (Path each : origin.files) {
            if (Files.isDirectory(each)) {
                files.addAll(new ExportFolder(each).files());
            } else if (each.toString().endsWith(AzCopyManifest.SUFFIX)) {
                files.addAll(AzCopyManifest.files(each));
            } else if (Files.isReadable(each)) {
                files.add(each);
            } else {
                throw TransferException.lasting(each + ": cannot be read");
            }
        }
        return new FileSource(files);
    }
}

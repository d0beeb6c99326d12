package io.parterre.deploy.operator;

import io.parterre.crash.CrashHook;
import io.parterre.deploy.ExitCode;
import io.parterre.deploy.backup.ArchiveOptions;
import io.parterre.deploy.backup.ArchivePoint;
import io.parterre.deploy.backup.ArchiveRun;
import io.parterre.deploy.backup.Repository;
import io.parterre.deploy.network.Transport;
import io.parterre.proto.backup.ArchiveSummary;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parterre backup archive}. */
@Command(
        name = "archive",
        description = {
            "Has servers record what changes, and takes it into the repository, until it is ended:",
            "from the next backup on, any time can be restored to. Killed or failed, the same",
            "command goes on."
        },
        footer = {
            "  parterre backup archive --repository /backups --operator-token-file token",
            "  parterre backup archive --repository /backups --stop"
        })
final class ArchiveCommand extends OperatorCommand<ArchiveSummary> {
    @Mixin private RepositoryOptions repository;
    @Mixin private TokenOptions token;

    @Option(
            names = "--interval",
            paramLabel = "DURATION",
            defaultValue = "5s",
            converter = DurationConverter.class,
            description = "How far it is behind, about. Default: 5s.")
    private Duration interval;

    @Option(
            names = "--lease",
            paramLabel = "DURATION",
            defaultValue = "6h",
            converter = DurationConverter.class,
            description = {
                "How long servers record while this command does not run; then they drop all, and"
                        + " a gap",
                "remains. 1m to 7d. Default: 6h."
            })
    private Duration lease;

    @Option(
            names = "--server-bytes-max",
            paramLabel = "N",
            defaultValue = "2147483648",
            description = {
                "Bytes that a server records at most before the archive has them; with more it"
                        + " drops all,",
                "and a gap remains. Default: 2147483648."
            })
    private long serverBytesMax;

    @Option(
            names = "--bytes-per-second",
            paramLabel = "N",
            defaultValue = "0",
            description = {
                "Bytes that are read a second, from all servers. Default: 0, as many as they allow",
                "(server.copy.bytesPerSecondMax each)."
            })
    private long bytesPerSecond;

    @Option(
            names = "--parallel",
            paramLabel = "N",
            defaultValue = "8",
            description = "Servers that are asked side by side, 1 to 256. Default: 8.")
    private int parallel;

    @Option(
            names = "--patience",
            paramLabel = "DURATION",
            defaultValue = "10m",
            converter = DurationConverter.class,
            description = {
                "How long a server may be silent before what it alone has recorded counts as lost.",
                "Default: 10m."
            })
    private Duration patience;

    @Option(
            names = "--stop",
            description = {
                "Has servers end recording and drop what they have. What is in the repository stays."
            })
    private boolean stop;

    private ArchiveOptions options() {
        try {
            return new ArchiveOptions(
                    parallel, bytesPerSecond, interval, lease, serverBytesMax, patience);
        } catch (IllegalArgumentException e) {
            throw new OperatorException(ExitCode.USAGE, e.getMessage());
        }
    }

    private static boolean passes(RuntimeException failure) {
        return failure instanceof OperatorException known
                && known.exitCode() == ExitCode.CLUSTER_UNREACHABLE;
    }

    @Override
    ArchiveSummary ask(ManagerCalls calls, Transport transport) {
        ArchiveOptions options = options();
        return BackupCommands.withCluster(
                calls,
                transport,
                token,
                (cluster, rows) -> {
                    try (Repository open = repository.open(!stop)) {
                        ArchiveRun run =
                                new ArchiveRun(
                                        cluster,
                                        open,
                                        rows,
                                        options,
                                        Clock.systemUTC(),
                                        CrashHook.ofProcess(ArchivePoint.class),
                                        line -> err().println(line));
                        if (stop) {
                            run.stop();
                        } else {
                            err().println("the archive is kept; make a backup, if none is newer");
                            run.run(ArchiveCommand::passes);
                        }
                        return ArchiveSummary.newBuilder()
                                .setClusterId(run.clusterId())
                                .setStopped(stop)
                                .build();
                    }
                });
    }

    @Override
    void print(ArchiveSummary answer, PrintWriter out) {
        out.println(
                "archive of cluster "
                        + answer.getClusterId()
                        + (answer.getStopped() ? ": servers record no more" : ": ended"));
    }
}

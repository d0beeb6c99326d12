package io.parterre.deploy.operator;

import com.google.protobuf.Message;
import io.parterre.concurrent.DaemonThreads;
import io.parterre.crash.CrashHook;
import io.parterre.deploy.CommandGroup;
import io.parterre.deploy.ExitCode;
import io.parterre.deploy.backup.BackupException;
import io.parterre.deploy.backup.BackupId;
import io.parterre.deploy.backup.BackupPoint;
import io.parterre.deploy.backup.BackupRun;
import io.parterre.deploy.backup.BackupVerify;
import io.parterre.deploy.backup.ClusterAccess;
import io.parterre.deploy.backup.ManagerAccess;
import io.parterre.deploy.backup.PointInTime;
import io.parterre.deploy.backup.Repository;
import io.parterre.deploy.backup.RepositoryPruning;
import io.parterre.deploy.backup.RestoreRequest;
import io.parterre.deploy.backup.RestoreRun;
import io.parterre.deploy.backup.RowAccess;
import io.parterre.deploy.network.Transport;
import io.parterre.entity.Ticks;
import io.parterre.proto.admin.AdminServiceGrpc.AdminServiceBlockingStub;
import io.parterre.proto.backup.BackupList;
import io.parterre.proto.backup.BackupManifest;
import io.parterre.proto.backup.BackupSummary;
import io.parterre.proto.backup.PieceReference;
import io.parterre.proto.backup.PruneSummary;
import io.parterre.proto.backup.RestorableWindow;
import io.parterre.proto.backup.RestoreState;
import io.parterre.proto.backup.RestoreSummary;
import io.parterre.proto.backup.RestoredTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code parterre backup}. */
@Command(
        name = "backup",
        description = {
            "Backups of a cluster that runs, and an archive of what changes between them: makes,",
            "lists, verifies and restores them."
        },
        subcommands = {
            BackupCommands.Create.class,
            BackupCommands.ListAll.class,
            BackupCommands.Verify.class,
            BackupCommands.Restore.class,
            ArchiveCommand.class,
            BackupCommands.Delete.class,
            BackupCommands.Prune.class
        })
final class BackupCommands extends CommandGroup {
    /** An operation on a cluster's rows. */
    interface Work<T> {
        T with(ClusterAccess cluster, RowAccess rows) throws IOException;
    }

    static <T> T withCluster(
            ManagerCalls calls, Transport transport, TokenOptions token, Work<T> work) {
        ScheduledExecutorService timer =
                Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("backup-timer"));
        // Calls to managers are confined to one thread at a time, which the access class ensures.
        ManagerAccess managers =
                new ManagerAccess() {
                    @Override
                    public <M> M ask(Function<AdminServiceBlockingStub, M> call) {
                        return calls.ask(call);
                    }
                };
        try (ClusterAccess cluster = new ClusterAccess(managers, transport)) {
            return work.with(cluster, new RowAccess(token::carriedBy, timer));
        } catch (IOException failure) {
            throw failed(failure);
        } finally {
            timer.shutdownNow();
        }
    }

    private static OperatorException failed(IOException failure) {
        boolean refused = failure instanceof BackupException known && !known.isDamaged();
        return new OperatorException(
                refused ? ExitCode.REFUSED : ExitCode.FAILED,
                failure instanceof BackupException
                        ? failure.getMessage()
                        : "failed: "
                                + failure
                                + " (the same command goes on where this one ended)");
    }

    private static BackupSummary.Builder summary(BackupManifest manifest) {
        BackupSummary.Builder summary =
                BackupSummary.newBuilder()
                        .setBackupId(manifest.getBackupId())
                        .setClusterId(manifest.getClusterId())
                        .setBegunMillis(manifest.getBegunMillis())
                        .setEndedMillis(manifest.getEndedMillis())
                        .setBase(manifest.getBase())
                        .setPieces(manifest.getPiecesCount())
                        .setAddedBytes(manifest.getAddedBytes());
        long rows = 0;
        long bytes = 0;
        for (PieceReference piece : manifest.getPiecesList()) {
            rows += piece.getRows();
            bytes += piece.getBytes();
        }
        manifest.getTablesList().forEach(table -> summary.addTables(table.getName()));
        return summary.setRows(rows).setBytes(bytes);
    }

    private static void print(BackupSummary summary, PrintWriter out) {
        out.printf(
                "backup %s: whole, of %s, %d tables, %,d rows, %,d bytes, %,d bytes added%n",
                summary.getBackupId(),
                Instant.ofEpochMilli(summary.getBegunMillis()),
                summary.getTablesCount(),
                summary.getRows(),
                summary.getBytes(),
                summary.getAddedBytes());
    }

    /** {@code parterre backup create}. */
    @Command(
            name = "create",
            description = {
                "Makes a backup: everything acknowledged before it began, of all tables. Parts"
                        + " that",
                "have not changed since the newest one in the repository are not read again."
            },
            footer = {
                "  parterre backup create --repository /backups --operator-token-file token",
                "  parterre backup create --repository /backups --resume 20260101T000000-000Z"
            })
    static final class Create extends OperatorCommand<BackupSummary> {
        @Mixin private RepositoryOptions repository;
        @Mixin private BackupPaceOptions pace;
        @Mixin private TokenOptions token;

        @Option(
                names = "--full",
                description = {
                    "Reads all ranges, changed or not, and puts objects again that are damaged in"
                            + " the",
                    "repository."
                })
        private boolean full;

        @Option(
                names = "--resume",
                paramLabel = "ID",
                description = "Goes on with a backup that was begun; what it has read stays.")
        private Optional<String> resume = Optional.empty();

        @Override
        BackupSummary ask(ManagerCalls calls, Transport transport) {
            Progress progress = new Progress(err());
            return withCluster(
                    calls,
                    transport,
                    token,
                    (cluster, rows) -> {
                        try (Repository open = repository.open(true)) {
                            BackupRun run =
                                    new BackupRun(
                                            cluster,
                                            open,
                                            rows,
                                            pace.options(),
                                            Clock.systemUTC(),
                                            CrashHook.ofProcess(BackupPoint.class),
                                            progress::tell);
                            if (resume.isPresent()) {
                                return summary(run.resume(resume.get())).build();
                            }
                            String id = BackupId.at(Clock.systemUTC().instant());
                            err().println("backup " + id + " begins; --resume " + id + " goes on");
                            return summary(run.create(id, full)).build();
                        }
                    });
        }

        @Override
        void print(BackupSummary answer, PrintWriter out) {
            BackupCommands.print(answer, out);
        }
    }

    /** {@code parterre backup list}. */
    @Command(
            name = "list",
            description = "Lists the backups of a repository, the oldest first.",
            footer = "  parterre backup list --repository /backups")
    static final class ListAll extends RepositoryCommand<BackupList> {
        @Override
        BackupList look(Repository open) throws IOException {
            BackupList.Builder list = BackupList.newBuilder();
            for (String id : open.backupIds()) {
                list.addBackups(
                        open.manifest(id)
                                .map(BackupCommands::summary)
                                .orElseGet(
                                        () ->
                                                BackupSummary.newBuilder()
                                                        .setBackupId(id)
                                                        .setRefusal("not whole")));
            }
            return list.addAllWindows(PointInTime.windows(open)).build();
        }

        @Override
        void print(BackupList list, PrintWriter out) {
            for (BackupSummary each : list.getBackupsList()) {
                if (each.getRefusal().isEmpty()) {
                    BackupCommands.print(each, out);
                } else {
                    out.println("backup " + each.getBackupId() + ": " + each.getRefusal());
                }
            }
            for (RestorableWindow each : list.getWindowsList()) {
                out.println(
                        each.getToTicks() == 0
                                ? "backup " + each.getBackupId() + ": not archived since"
                                : "restorable from "
                                        + Ticks.format(each.getFromTicks())
                                        + " to "
                                        + Ticks.format(each.getToTicks())
                                        + ", from backup "
                                        + each.getBackupId());
                if (!each.getEnd().isEmpty()) {
                    out.println("  " + each.getEnd());
                }
            }
        }
    }

    /** {@code parterre backup verify}. */
    @Command(
            name = "verify",
            description = {
                "Reads a backup through without restoring it: all objects are there and undamaged,",
                "and every key is in one of them."
            },
            footer = {
                "  parterre backup verify --repository /backups 20260101T000000-000Z",
                "  parterre backup verify --repository /backups --to 2026-01-01T12:30:00Z"
            })
    static final class Verify extends RepositoryCommand<BackupSummary> {
        @Mixin private BackupPaceOptions pace;
        @Mixin private RestoreTimeOption time;

        @Parameters(
                paramLabel = "ID",
                arity = "0..1",
                description = "Default: the newest whole one.")
        private Optional<String> id = Optional.empty();

        @Override
        BackupSummary look(Repository open) throws IOException {
            Progress progress = new Progress(err());
            OptionalLong to = time.ticks();
            if (to.isPresent()) {
                return summary(
                                PointInTime.open(open, to.getAsLong(), id)
                                        .verify(open, pace.options().parallel(), progress::tell))
                        .build();
            }
            return summary(
                            new BackupVerify(open, pace.options().parallel(), progress::tell)
                                    .verify(RepositoryOptions.chosen(open, id)))
                    .build();
        }

        @Override
        void print(BackupSummary answer, PrintWriter out) {
            BackupCommands.print(answer, out);
        }
    }

    /** {@code parterre backup restore}. */
    @Command(
            name = "restore",
            description = {
                "Restores all tables of a backup into a cluster that has none of them, or one"
                        + " table,",
                "perhaps under another name. Tables appear when all their rows are there."
            },
            footer = {
                "  parterre backup restore --repository /backups --operator-token-file token",
                "  parterre backup restore --repository /backups --table orders --as orders2",
                "  parterre backup restore --repository /backups --to 2026-01-01T12:30:00Z"
            })
    static final class Restore extends OperatorCommand<RestoreSummary> {
        @Mixin private RepositoryOptions repository;
        @Mixin private BackupPaceOptions pace;
        @Mixin private RestoreTimeOption time;
        @Mixin private TokenOptions token;

        @Parameters(
                paramLabel = "ID",
                arity = "0..1",
                description = "Default: the one that was begun, or the newest whole one.")
        private Optional<String> id = Optional.empty();

        @Option(
                names = "--account",
                paramLabel = "NAME",
                description = "Only tables of this account.")
        private Optional<String> account = Optional.empty();

        @Option(names = "--table", paramLabel = "NAME", description = "Only this table.")
        private Optional<String> table = Optional.empty();

        @Option(names = "--as", paramLabel = "NAME", description = "Its name in the cluster.")
        private Optional<String> newName = Optional.empty();

        @Option(
                names = "--into-account",
                paramLabel = "NAME",
                description = "Account of the cluster. Default: the one of the same name.")
        private Optional<String> intoAccount = Optional.empty();

        @Option(
                names = "--state",
                paramLabel = "FILE",
                description = {
                    "File that says how far the restore is: the same command goes on with it.",
                    "Removed at the end. Default: parterre-restore in this folder."
                })
        private Path state = Path.of("parterre-restore");

        @Override
        RestoreSummary ask(ManagerCalls calls, Transport transport) {
            if (newName.isPresent() && table.isEmpty()) {
                throw new OperatorException(ExitCode.USAGE, "--as: expected with --table");
            }
            Progress progress = new Progress(err());
            return withCluster(
                    calls,
                    transport,
                    token,
                    (cluster, rows) -> {
                        try (Repository open = repository.open(false)) {
                            RestoreRun run =
                                    new RestoreRun(
                                            cluster,
                                            open,
                                            rows,
                                            pace.options(),
                                            state,
                                            progress::tell);
                            // The newest backup may be another one by now.
                            Optional<String> begun = id.isPresent() ? id : run.begunBackupId();
                            OptionalLong to = time.ticks();
                            String chosen =
                                    to.isPresent()
                                            ? PointInTime.base(open, to.getAsLong(), begun)
                                            : RepositoryOptions.chosen(open, begun);
                            return summary(
                                    run.restore(
                                            chosen,
                                            new RestoreRequest(
                                                    account, table, newName, intoAccount, to)));
                        }
                    });
        }

        private static RestoreSummary summary(RestoreState restored) {
            RestoreSummary.Builder summary =
                    RestoreSummary.newBuilder()
                            .setBackupId(restored.getBackupId())
                            .setRows(restored.getRows());
            for (RestoredTable each : restored.getTablesList()) {
                summary.addTables(each.getNewName());
            }
            return summary.build();
        }

        @Override
        void print(RestoreSummary answer, PrintWriter out) {
            out.printf(
                    "restored %d tables, %,d rows of backup %s%n",
                    answer.getTablesCount(), answer.getRows(), answer.getBackupId());
        }
    }

    /** {@code parterre backup delete}. */
    @Command(
            name = "delete",
            description = "Removes a backup. What only it needs stays until 'backup prune'.",
            footer = "  parterre backup delete --repository /backups 20260101T000000-000Z")
    static final class Delete extends RepositoryCommand<BackupSummary> {
        @Parameters(paramLabel = "ID")
        private String id;

        @Override
        BackupSummary look(Repository open) throws IOException {
            open.delete(id);
            return BackupSummary.newBuilder().setBackupId(id).setRefusal("deleted").build();
        }

        @Override
        void print(BackupSummary answer, PrintWriter out) {
            out.println("backup " + answer.getBackupId() + ": deleted");
        }
    }

    /** {@code parterre backup prune}. */
    @Command(
            name = "prune",
            description = {
                "Removes what no backup of the repository needs, and of the archive what is from",
                "before the oldest backup."
            },
            footer = {
                "  parterre backup prune --repository /backups",
                "  parterre backup prune --repository /backups --keep-days 14"
            })
    static final class Prune extends RepositoryCommand<PruneSummary> {
        @Option(
                names = "--after-killed",
                description = {
                    "Says that no other prune of the repository runs: one that was killed had left",
                    "its mark, and would keep backups and prunes from beginning."
                })
        private boolean afterKilled;

        @Option(
                names = "--keep-days",
                paramLabel = "N",
                description = {
                    "Removes backups as well that are too old to restore to any time of the last N",
                    "days: the newest one from before stays."
                })
        private Optional<Integer> keepDays = Optional.empty();

        @Override
        PruneSummary look(Repository open) throws IOException {
            if (keepDays.map(days -> days < 1).orElse(false)) {
                throw new OperatorException(
                        ExitCode.USAGE, "--keep-days: " + keepDays.get() + " (expected: >= 1)");
            }
            return new RepositoryPruning(open)
                    .prune(
                            afterKilled,
                            Clock.systemUTC().instant(),
                            keepDays.map(Duration::ofDays));
        }

        @Override
        void print(PruneSummary answer, PrintWriter out) {
            answer.getBackupsList().forEach(each -> out.println("backup " + each + ": deleted"));
            out.printf(
                    "removed %,d objects, %,d parts of the archive%n",
                    answer.getObjects(), answer.getArchiveObjects());
        }
    }

    /** A command that uses only a repository, and no cluster. */
    abstract static class RepositoryCommand<A extends Message> extends OfflineCommand<A> {
        @Mixin private RepositoryOptions repository;

        abstract A look(Repository open) throws IOException;

        @Override
        A ask() {
            try (Repository open = repository.open(false)) {
                return look(open);
            } catch (IOException failure) {
                throw failed(failure);
            }
        }
    }
}

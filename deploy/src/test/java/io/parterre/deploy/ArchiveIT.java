package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.parterre.crash.CrashHook;
import io.parterre.deploy.ClusterInProcess.Answer;
import io.parterre.deploy.backup.ArchiveOptions;
import io.parterre.deploy.backup.ArchivePoint;
import io.parterre.deploy.backup.ArchiveRun;
import io.parterre.deploy.backup.BackupException;
import io.parterre.deploy.backup.BackupOptions;
import io.parterre.deploy.backup.BackupRun;
import io.parterre.deploy.backup.ClusterAccess;
import io.parterre.deploy.backup.PointInTime;
import io.parterre.deploy.backup.Repository;
import io.parterre.deploy.backup.RepositoryPlace;
import io.parterre.entity.Ticks;
import io.parterre.file.DurableFiles;
import io.parterre.proto.admin.MoveLeaderRequest;
import io.parterre.proto.admin.MoveReplicaRequest;
import io.parterre.proto.admin.RangeStatus;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clusters as they were at times between backups. */
final class ArchiveIT {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final ArchiveOptions OPTIONS =
            new ArchiveOptions(
                    4, 0, Duration.ofMillis(50), Duration.ofHours(1), 64 << 20, PATIENCE);

    @TempDir Path folder;

    /** What a test throws where a process would be killed. */
    private static final class Killed extends Error {}

    private Repository open() throws IOException {
        return Repository.open(
                RepositoryPlace.open(folder.resolve("backups").toString()), Optional.empty(), true);
    }

    private void backup(ClusterInProcess cluster, String id) throws IOException {
        try (Repository repository = open();
                ClusterAccess access = cluster.access()) {
            new BackupRun(
                            access,
                            repository,
                            cluster.rows(),
                            new BackupOptions(2, 0, Duration.ofMinutes(1)),
                            InstantSource.system(),
                            CrashHook.none(),
                            line -> {})
                    .create(id, false);
        }
    }

    /** An archive that is ended at one moment after the other, and gone on with by another run. */
    private final class Archiver implements AutoCloseable {
        private final AtomicBoolean stop = new AtomicBoolean();
        private final AtomicInteger kills = new AtomicInteger();
        private final AtomicReference<Instant> until = new AtomicReference<>(Instant.EPOCH);
        private final AtomicReference<Throwable> failed = new AtomicReference<>();
        private final Thread thread;

        Archiver(ClusterInProcess cluster) {
            thread = new Thread(() -> keep(cluster), "test-archiver");
            thread.start();
        }

        private void keep(ClusterInProcess cluster) {
            while (!stop.get() && failed.get() == null) {
                try (Repository repository = open();
                        ClusterAccess access = cluster.access()) {
                    int lives = 1 + kills.get() % 4;
                    ArchivePoint at =
                            ArchivePoint.values()[kills.get() % ArchivePoint.values().length];
                    AtomicInteger passed = new AtomicInteger();
                    ArchiveRun run =
                            new ArchiveRun(
                                    access,
                                    repository,
                                    cluster.rows(),
                                    OPTIONS,
                                    InstantSource.system(),
                                    point -> {
                                        if (point == at && passed.incrementAndGet() > lives) {
                                            throw new Killed();
                                        }
                                    },
                                    line -> {});
                    while (!stop.get()) {
                        run.round();
                        until.accumulateAndGet(run.archivedUntil(), (a, b) -> a.isAfter(b) ? a : b);
                    }
                } catch (Killed killed) {
                    kills.incrementAndGet();
                } catch (io.grpc.StatusRuntimeException busy) {
                    // A change of leaders; the next run asks again.
                } catch (IOException | RuntimeException | Error failure) {
                    failed.set(failure);
                }
            }
        }

        void awaitUntil(Instant time) {
            await().atMost(PATIENCE).until(() -> failed.get() != null || until.get().isAfter(time));
            assertThat(failed.get()).isNull();
        }

        @Override
        public void close() throws InterruptedException {
            stop.set(true);
            thread.join();
            assertThat(failed.get()).isNull();
        }
    }

    private static void moveLeaders(ClusterInProcess cluster) {
        for (RangeStatus each : cluster.ranges()) {
            each.getRange().getMembersList().stream()
                    .filter(member -> !member.equals(each.getLeader()))
                    .findFirst()
                    .ifPresent(
                            to ->
                                    cluster.admin()
                                            .moveLeader(
                                                    MoveLeaderRequest.newBuilder()
                                                            .setRangeId(
                                                                    each.getRange().getRangeId())
                                                            .setNodeId(to)
                                                            .build()));
        }
    }

    /** A moment with writes around it. */
    private static Instant moment(TimedLedger ledger) {
        int before = ledger.size();
        await().atMost(PATIENCE).until(() -> ledger.size() > before + 20);
        Instant now = Instant.now();
        await().atMost(PATIENCE).until(() -> ledger.size() > before + 40);
        return now;
    }

    @Test
    void restoreIsAsLedgerWas_atAnyTimeOfTheArchive() throws Exception {
        List<Instant> times = new ArrayList<>();
        TimedLedger ledger = new TimedLedger();
        try (ClusterInProcess cluster = ClusterInProcess.start(folder.resolve("a"), 3, 3)) {
            assertThat(cluster.tables().createTable("orders")).isEqualTo(201);
            try (Archiver archiver = new Archiver(cluster);
                    TimedLedger.Writer writer = ledger.write(cluster.tables(), "orders")) {
                archiver.awaitUntil(moment(ledger));
                backup(cluster, "one");
                times.add(moment(ledger));
                cluster.split(3);
                times.add(moment(ledger));
                moveLeaders(cluster);
                times.add(moment(ledger));
                cluster.merge(0);
                times.add(moment(ledger));
                backup(cluster, "two");
                cluster.split(2);
                cluster.merge(1);
                times.add(moment(ledger));
                writer.requireUnharmed();
                archiver.awaitUntil(times.get(times.size() - 1).plusMillis(1));
                assertThat(archiver.kills.get()).isGreaterThan(ArchivePoint.values().length);
            }
        }
        windowsReach(times.get(times.size() - 1));
        try (ClusterInProcess other = ClusterInProcess.start(folder.resolve("b"), 1, 1)) {
            for (int i = 0; i < times.size(); i++) {
                Answer restored = restore(other, times.get(i), "orders" + i);
                assertThat(restored.code()).as(restored.toString()).isZero();
                ledger.requireAsOf(times.get(i), other.tables(), "orders" + i);
            }
            Answer tooLate = restore(other, Instant.now().plusSeconds(60), "late");
            assertThat(tooLate.code()).isEqualTo(ExitCode.REFUSED.code());
            assertThat(tooLate.err()).contains("the archive does not reach").contains("range ");
            Answer tooEarly = restore(other, Instant.now().minusSeconds(86_400), "early");
            assertThat(tooEarly.err()).contains("no backup is from before");
        }
        damageAndHolesAreRefused(times.get(0));
    }

    private void windowsReach(Instant last) {
        Answer list =
                ClusterInProcess.command(
                        "backup", "list", "--repository", folder.resolve("backups") + "");
        assertThat(list.out()).contains("restorable from").contains("from backup one");
        try (Repository repository = open()) {
            assertThat(PointInTime.windows(repository))
                    .hasSize(2)
                    .allMatch(each -> each.getToTicks() > Ticks.of(last))
                    .allMatch(each -> each.getEnd().isEmpty());
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    private Answer restore(ClusterInProcess cluster, Instant time, String as) throws IOException {
        return cluster.run(
                true,
                "backup",
                "restore",
                "--repository",
                folder.resolve("backups") + "",
                "--to",
                Ticks.format(Ticks.of(time)),
                "--table",
                "orders",
                "--as",
                as,
                "--state",
                folder.resolve("state-" + as) + "");
    }

    private Answer verify(Instant time) {
        return ClusterInProcess.command(
                "backup",
                "verify",
                "--repository",
                folder.resolve("backups") + "",
                "--to",
                Ticks.format(Ticks.of(time)));
    }

    private void damageAndHolesAreRefused(Instant time) throws Exception {
        assertThat(verify(time).code()).isZero();
        int damaged = 0;
        int missing = 0;
        for (Path object : objects("data")) {
            Path head = Path.of(object.toString().replace("/data/", "/heads/"));
            if (!Files.exists(head)) {
                // Of a run that was ended before it said what it had put.
                continue;
            }
            byte[] bytes = Files.readAllBytes(object);
            byte[] flipped = bytes.clone();
            flipped[bytes.length / 2] ^= 1;
            Files.write(object, flipped);
            Answer answer = verify(time);
            if (answer.code() != 0) {
                assertThat(answer.err()).contains("archive/data/").contains("damaged");
                damaged++;
            }
            Files.write(object, bytes);
            byte[] headBytes = Files.readAllBytes(head);
            Files.delete(head);
            Answer hole = verify(time);
            if (hole.code() != 0) {
                assertThat(hole.err())
                        .contains("the archive does not reach from backup one")
                        .contains("the archive lacks what came after entry");
                missing++;
            }
            Files.write(head, headBytes);
            if (damaged > 2 && missing > 2) {
                break;
            }
        }
        assertThat(damaged).isPositive();
        assertThat(missing).isPositive();
        assertThat(verify(time).code()).isZero();
        for (Path head : objects("heads").subList(0, 3)) {
            byte[] bytes = Files.readAllBytes(head);
            byte[] flipped = bytes.clone();
            flipped[bytes.length / 2] ^= 1;
            Files.write(head, flipped);
            assertThatExceptionOfType(BackupException.class)
                    .isThrownBy(
                            () -> {
                                try (Repository repository = open()) {
                                    PointInTime.open(repository, Ticks.of(time), Optional.empty());
                                }
                            });
            Files.write(head, bytes);
        }
    }

    private List<Path> objects(String kind) throws IOException {
        return DurableFiles.filesBelow(folder.resolve("backups/archive/" + kind)).stream()
                .sorted()
                .toList();
    }

    /** Has all replicas of a cluster with one of each range on another server. */
    private static void moveReplicas(ClusterInProcess cluster) {
        for (RangeStatus each : cluster.ranges()) {
            String from = each.getRange().getMembers(0);
            String to = from.equals("s1") ? "s2" : "s1";
            long rangeId = each.getRange().getRangeId();
            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .until(
                            () -> {
                                List<String> members =
                                        cluster.ranges().stream()
                                                .filter(
                                                        range ->
                                                                range.getRange().getRangeId()
                                                                        == rangeId)
                                                .findFirst()
                                                .orElseThrow()
                                                .getRange()
                                                .getMembersList();
                                if (members.equals(List.of(from))) {
                                    cluster.admin()
                                            .moveReplica(
                                                    MoveReplicaRequest.newBuilder()
                                                            .setRangeId(rangeId)
                                                            .setFrom(from)
                                                            .setTo(to)
                                                            .build());
                                }
                                return members.equals(List.of(to));
                            });
        }
    }

    private List<String> archiveOnce(ClusterInProcess cluster) throws IOException {
        List<String> told = new ArrayList<>();
        try (Repository repository = open();
                ClusterAccess access = cluster.access()) {
            ArchiveRun run =
                    new ArchiveRun(
                            access,
                            repository,
                            cluster.rows(),
                            OPTIONS,
                            InstantSource.system(),
                            CrashHook.none(),
                            told::add);
            Instant now = Instant.now();
            await().atMost(PATIENCE)
                    .until(
                            () -> {
                                run.round();
                                return run.archivedUntil().isAfter(now);
                            });
        }
        return told;
    }

    @Test
    void archiveHasNoGap_whenReplicasMoveWhileItIsDown() throws Exception {
        TimedLedger ledger = new TimedLedger();
        List<Instant> times = new ArrayList<>();
        try (ClusterInProcess cluster = ClusterInProcess.start(folder.resolve("a"), 2, 1)) {
            assertThat(cluster.tables().createTable("orders")).isEqualTo(201);
            archiveOnce(cluster);
            backup(cluster, "one");
            try (TimedLedger.Writer writer = ledger.write(cluster.tables(), "orders")) {
                times.add(moment(ledger));
                moveReplicas(cluster);
                times.add(moment(ledger));
                cluster.split(2);
                moveReplicas(cluster);
                times.add(moment(ledger));
                writer.requireUnharmed();
            }
            assertThat(archiveOnce(cluster)).as("lost changes").isEmpty();
        }
        try (ClusterInProcess other = ClusterInProcess.start(folder.resolve("b"), 1, 1)) {
            for (int i = 0; i < times.size(); i++) {
                Answer restored = restore(other, times.get(i), "orders" + i);
                assertThat(restored.code()).as(restored.toString()).isZero();
                ledger.requireAsOf(times.get(i), other.tables(), "orders" + i);
            }
        }
    }

    @Test
    void restoreHoldsTablesOfTheTime_whenCreatedAndDeletedBetween() throws Exception {
        Instant before;
        Instant between;
        try (ClusterInProcess cluster = ClusterInProcess.start(folder.resolve("a"), 1, 1)) {
            TableCalls tables = cluster.tables();
            assertThat(tables.createTable("old")).isEqualTo(201);
            assertThat(tables.insert("old", "p", "r", "1")).isEqualTo(201);
            try (Archiver archiver = new Archiver(cluster)) {
                archiver.awaitUntil(Instant.now());
                backup(cluster, "one");
                before = Instant.now();
                assertThat(tables.createTable("made")).isEqualTo(201);
                assertThat(tables.insert("made", "p", "r", "1")).isEqualTo(201);
                assertThat(tables.merge("old", "p", "r", "More", "2").statusCode()).isEqualTo(204);
                between = Instant.now();
                assertThat(tables.deleteTable("old")).isEqualTo(204);
                assertThat(tables.put("made", "p", "r", "2").statusCode()).isEqualTo(204);
                archiver.awaitUntil(Instant.now());
            }
        }
        try (ClusterInProcess other = ClusterInProcess.start(folder.resolve("b"), 1, 1)) {
            Answer all =
                    other.run(
                            true,
                            "backup",
                            "restore",
                            "--repository",
                            folder.resolve("backups") + "",
                            "--to",
                            Ticks.format(Ticks.of(between)),
                            "--state",
                            folder.resolve("state") + "");
            assertThat(all.code()).as(all.toString()).isZero();
            HttpResponse<String> merged = other.tables().read("old", "p", "r");
            assertThat(merged.body()).contains("\"Value\":\"1\"").contains("\"More\":\"2\"");
            assertThat(other.tables().read("made", "p", "r").body()).contains("\"Value\":\"1\"");
        }
        try (ClusterInProcess other = ClusterInProcess.start(folder.resolve("c"), 1, 1)) {
            Answer all =
                    other.run(
                            true,
                            "backup",
                            "restore",
                            "--repository",
                            folder.resolve("backups") + "",
                            "--to",
                            Ticks.format(Ticks.of(before)),
                            "--state",
                            folder.resolve("state") + "");
            assertThat(all.code()).as(all.toString()).isZero();
            assertThat(other.tables().read("old", "p", "r").body()).doesNotContain("More");
            assertThat(other.tables().read("made", "p", "r").statusCode()).isEqualTo(404);
        }
    }
}

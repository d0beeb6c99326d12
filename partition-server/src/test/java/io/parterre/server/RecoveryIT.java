package io.parterre.server;

import static io.parterre.server.Commands.fence;
import static io.parterre.server.Commands.insert;
import static io.parterre.server.Commands.key;
import static io.parterre.server.RangeClient.command;
import static io.parterre.server.RangeClient.read;
import static io.parterre.server.RangeClient.scan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.proto.range.EntityOperation;
import io.parterre.proto.range.RangeResponse;
import io.parterre.range.RangeDescriptor;
import io.parterre.server.raft.RaftConfig;
import io.parterre.server.store.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What a node knows after it went away: in order, by kill, or with its disk. */
@Execution(ExecutionMode.CONCURRENT)
final class RecoveryIT {
    private static final KeyRange TABLE = KeyRange.ofPrefix(KeyCodec.scope(Commands.TABLE));

    /** Keeps no more of a log than it must, and packs nothing. */
    private static final RaftConfig DROPS_ITS_LOG =
            new RaftConfig(
                    "127.0.0.1",
                    0,
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(2),
                    1,
                    4,
                    1_000,
                    64 << 20,
                    1);

    @TempDir Path folder;

    private static List<RangeResponse> writeSome(RangeClient client) throws Exception {
        RangeResponse first = client.callWhenReady(command(insert(1, "a", "1", "one")));
        RangeResponse second = client.callWhenReady(command(insert(2, "a", "1", "again")));
        RangeResponse third =
                client.callWhenReady(
                        command(Commands.write(3, EntityOperation.Kind.MERGE, "a", "1", "merged")));
        return List.of(first, second, third);
    }

    private static void seesSome(RangeClient client, List<RangeResponse> answers) throws Exception {
        client.callWhenReady(read(key("a", "1")));
        assertThat(client.callWhenReady(command(insert(1, "a", "1", "one"))).getOutcome())
                .isEqualTo(answers.get(0).getOutcome());
        assertThat(client.callWhenReady(command(insert(2, "a", "1", "again"))).getOutcome())
                .isEqualTo(answers.get(1).getOutcome());
        assertThat(
                        client.callWhenReady(
                                        command(
                                                Commands.write(
                                                        3,
                                                        EntityOperation.Kind.MERGE,
                                                        "a",
                                                        "1",
                                                        "merged")))
                                .getOutcome())
                .isEqualTo(answers.get(2).getOutcome());
    }

    @Test
    void rowsAndOutcomesSurvive_afterCleanRestart() throws Exception {
        List<RangeResponse> answers;
        RangeResponse page;
        try (RunningServer running = RunningServer.start(folder)) {
            answers = writeSome(running.client());
            page = running.client().callWhenReady(scan(TABLE, 10));
        }
        for (int restart = 0; restart < 2; restart++) {
            try (RunningServer running = RunningServer.start(folder)) {
                seesSome(running.client(), answers);
                assertThat(running.client().callWhenReady(scan(TABLE, 10)).getScanPage())
                        .isEqualTo(page.getScanPage());
            }
        }
    }

    @Test
    void rowsAndOutcomesAreReplayed_afterNodeIsKilled() throws Exception {
        RunningServer first = RunningServer.start(folder);
        List<RangeResponse> answers = writeSome(first.client());
        RangeResponse page = first.client().callWhenReady(scan(TABLE, 10));
        first.kill();
        for (int restart = 0; restart < 3; restart++) {
            RunningServer running = RunningServer.start(folder);
            seesSome(running.client(), answers);
            assertThat(running.client().callWhenReady(scan(TABLE, 10)).getScanPage())
                    .isEqualTo(page.getScanPage());
            running.kill();
        }
    }

    @Test
    void ackedWritesSurvive_whenNodeIsKilledRepeatedly() throws Exception {
        Random random = new Random(7);
        int written = 0;
        TestConfig config =
                RunningServer.config(folder)
                        .withStore(new StoreConfig(8 << 20, 8 << 20, Duration.ofSeconds(1)));
        for (int life = 0; life < 6; life++) {
            RunningServer running = RunningServer.start(config);
            int until = written + 50 + random.nextInt(200);
            for (; written < until; written++) {
                RangeResponse answer =
                        running.client()
                                .callWhenReady(
                                        command(
                                                insert(
                                                        written + 1,
                                                        "p" + written % 7,
                                                        "" + written,
                                                        "x".repeat(500))));
                assertThat(answer.getOutcome().hasWritten()).as(answer.toString()).isTrue();
            }
            running.client().callWhenReady(read(key("a", "1")));
            assertThat(
                            running.client()
                                    .callWhenReady(scan(TABLE, 10_000))
                                    .getScanPage()
                                    .getRowCount())
                    .isEqualTo(written);
            running.kill();
        }
    }

    @Test
    void tableFenceSurvives_afterNodeIsKilled() throws Exception {
        RunningServer first = RunningServer.start(folder);
        first.client().callWhenReady(command(insert(1, "a", "1", "one")));
        first.client().callWhenReady(command(fence(2, Commands.TABLE)));
        first.kill();

        try (RunningServer running = RunningServer.start(folder)) {
            assertThat(running.client().callWhenReady(read(key("a", "1"))).hasScopeFenced())
                    .isTrue();
            assertThat(
                            running.client()
                                    .callWhenReady(command(insert(3, "a", "1", "x")))
                                    .hasScopeFenced())
                    .isTrue();
        }
    }

    @Test
    void logPurgeKeepsUnflushedWrites_whenNodeIsKilled() throws Exception {
        TestConfig config =
                RunningServer.config(folder)
                        .withRaft(DROPS_ITS_LOG)
                        .withStore(new StoreConfig(8 << 20, 8 << 20, Duration.ofSeconds(1)));
        RunningServer first = RunningServer.start(config);
        int[] written = {0};
        first.client().callWhenReady(command(insert(1, "start", "1", "x")));
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(
                        () -> {
                            writeLarge(first.client(), written[0]++);
                            return firstLogIndex() > 0;
                        });
        int after = written[0];
        for (; written[0] < after + 20; written[0]++) {
            writeLarge(first.client(), written[0]);
        }
        first.kill();

        try (RunningServer running = RunningServer.start(config)) {
            running.client().callWhenReady(read(key("a", "1")));
            int rows = 0;
            com.google.protobuf.ByteString start =
                    com.google.protobuf.ByteString.copyFrom(TABLE.start().unsafeBytes());
            while (true) {
                io.parterre.proto.range.RangeRequest.Builder request = scan(TABLE, 1_000);
                request.getScanBuilder().setStart(start);
                RangeResponse page = running.client().callWhenReady(request);
                rows += page.getScanPage().getRowCount();
                if (!page.getScanPage().hasResumeKey()) {
                    break;
                }
                start = page.getScanPage().getResumeKey();
            }
            assertThat(rows).isEqualTo(1 + written[0]);
        }
    }

    @Test
    void logIsPurged_whenNodeRestartsOften() throws Exception {
        TestConfig config = RunningServer.config(folder).withRaft(DROPS_ITS_LOG);
        int written = 0;
        // Less in each life than is dropped at once.
        for (int life = 0; life < 6; life++) {
            try (RunningServer running = RunningServer.start(config)) {
                running.client().callWhenReady(read(key("a", "1")));
                for (int i = 0; i < 20; i++) {
                    written++;
                    RangeResponse answer =
                            running.client()
                                    .callWhenReady(
                                            command(
                                                    insert(
                                                            written,
                                                            "large",
                                                            "" + written,
                                                            "x".repeat(200_000))));
                    assertThat(answer.getOutcome().hasWritten()).as(answer.toString()).isTrue();
                }
            }
        }
        assertThat(firstLogIndex()).isPositive();
    }

    private static void writeLarge(RangeClient client, int number) throws Exception {
        RangeResponse answer =
                client.callWhenReady(
                        command(insert(10 + number, "large", "" + number, "x".repeat(500_000))));
        assertThat(answer.getOutcome().hasWritten()).as(answer.toString()).isTrue();
    }

    /** Index at which the oldest log segment on disk begins. */
    private long firstLogIndex() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("raft"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("log_"))
                    .filter(name -> !name.contains("inprogress"))
                    .mapToLong(name -> Long.parseLong(name.split("[_-]")[1]))
                    .min()
                    .orElse(0);
        }
    }

    @Test
    void nodeStopsAckingAndKeepsAckedWrites_whenStoreFails() throws Exception {
        TestConfig config =
                RunningServer.config(folder)
                        .withStore(new StoreConfig(8 << 20, 8 << 20, Duration.ofSeconds(1)));
        RunningServer running = RunningServer.start(config);
        RangeClient client = running.client();
        client.callWhenReady(command(insert(1, "a", "0", "x")));
        Files.move(folder.resolve("rows"), folder.resolve("rows-gone"));
        int acknowledged = 1;
        while (running.failures.isEmpty()) {
            int sequence = acknowledged + 1;
            RangeResponse answer = client.call(command(insert(sequence, "a", "" + sequence, "x")));
            if (!answer.getOutcome().hasWritten()) {
                break;
            }
            acknowledged++;
        }
        assertThat(running.failure()).isNotNull();
        for (int i = 0; i < 5; i++) {
            RangeResponse refused = client.call(command(insert(100_000 + i, "b", "" + i, "x")));
            assertThat(refused.hasOutcome()).as(refused.toString()).isFalse();
        }
        running.close();
        Files.move(folder.resolve("rows-gone"), folder.resolve("rows"));

        try (RunningServer again = RunningServer.start(folder)) {
            again.client().callWhenReady(read(key("a", "1")));
            io.parterre.proto.range.RangeRequest.Builder request = scan(TABLE, 1_000_000);
            assertThat(again.client().callWhenReady(request).getScanPage().getRowCount())
                    .isGreaterThanOrEqualTo(acknowledged);
        }
    }

    @Test
    void replicaRestarts_whenRaftConfigurationFileIsMissing() throws Exception {
        RunningServer first = RunningServer.start(folder);
        List<RangeResponse> answers = writeSome(first.client());
        first.kill();
        try (Stream<Path> files = Files.walk(folder.resolve("raft"))) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (file.getFileName().toString().startsWith("raft-meta.conf")) {
                    Files.delete(file);
                }
            }
        }

        try (RunningServer running = RunningServer.start(folder)) {
            seesSome(running.client(), answers);
        }
    }

    @Test
    void startFails_whenLogHasNoRowsInStore() throws Exception {
        try (RunningServer running = RunningServer.start(folder)) {
            writeSome(running.client());
        }
        Files.move(folder.resolve("rows"), folder.resolve("elsewhere"));

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> RunningServer.start(folder))
                .withMessageContaining("of range 1 has no rows in the store");
    }

    @Test
    void startFails_whenRowsHaveNoRaftLog() throws Exception {
        try (RunningServer running = RunningServer.start(folder)) {
            writeSome(running.client());
        }
        Files.move(folder.resolve("raft"), folder.resolve("elsewhere"));

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> RunningServer.start(folder))
                .withMessageContaining("range 1 was applied to index 14 but has no raft log");
    }

    @Test
    void replicaServes_whenKilledBeforeRaftGroupWasCreated() throws Exception {
        RunningServer first = RunningServer.start(folder);
        first.client().callWhenReady(read(key("a", "1")));
        first.kill();
        // As if the kill had come between the descriptor and the Raft group.
        try (Stream<Path> files = Files.walk(folder.resolve("raft"))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
        FakeManager silent = new FakeManager("cluster-1", List.of());
        try (RunningServer running = RunningServer.start(RunningServer.config(folder), silent)) {
            assertThat(
                            running.client()
                                    .callWhenReady(command(insert(1, "a", "1", "one")))
                                    .getOutcome()
                                    .hasWritten())
                    .isTrue();
        }
    }

    @Test
    void replicaOrderIsRepeated_untilRaftGroupCanBeCreated() throws Exception {
        List<RangeDescriptor> ranges = new CopyOnWriteArrayList<>();
        FakeManager manager = new FakeManager("cluster-1", ranges);
        try (RunningServer running = RunningServer.start(RunningServer.config(folder), manager)) {
            Path inTheWay =
                    folder.resolve("raft")
                            .resolve(RunningServer.WHOLE.rangeId().groupId().toString());
            Files.createDirectories(inTheWay.getParent());
            Files.createFile(inTheWay);
            ranges.add(RunningServer.WHOLE);
            Awaitility.await().until(() -> manager.ordersGiven() >= 2);
            Files.delete(inTheWay);

            assertThat(
                            running.client()
                                    .callWhenReady(command(insert(1, "a", "1", "one")))
                                    .getOutcome()
                                    .hasWritten())
                    .isTrue();
        }
    }

    @Test
    void nodeServesStoredReplicas_withoutManagerOrder() throws Exception {
        List<RangeResponse> answers;
        try (RunningServer running = RunningServer.start(folder)) {
            answers = writeSome(running.client());
        }
        FakeManager silent = new FakeManager("cluster-1", List.of());
        try (RunningServer running = RunningServer.start(RunningServer.config(folder), silent)) {
            seesSome(running.client(), answers);
        }
    }

    @Test
    void inFlightWritesApplyOnce_whenRetriedAfterKill() throws Exception {
        RunningServer first = RunningServer.start(folder);
        first.client().callWhenReady(command(insert(1, "a", "0", "x")));
        List<CompletableFuture<RangeResponse>> sent = new java.util.ArrayList<>();
        for (int i = 2; i <= 500; i++) {
            sent.add(first.client().send(command(insert(i, "a", "" + i, "x"))));
        }
        sent.get(100).get(60, TimeUnit.SECONDS);
        first.kill();

        try (RunningServer running = RunningServer.start(folder)) {
            running.client().callWhenReady(read(key("a", "0")));
            for (int i = 2; i <= 500; i++) {
                RangeResponse repeat =
                        running.client().callWhenReady(command(insert(i, "a", "" + i, "x")));
                assertThat(repeat.getOutcome().hasWritten()).as(repeat.toString()).isTrue();
            }
            assertThat(
                            running.client()
                                    .callWhenReady(scan(TABLE, 1_000))
                                    .getScanPage()
                                    .getRowCount())
                    .isEqualTo(500);
        }
    }
}

package io.parterre.deploy.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parterre.deploy.TableCalls;
import io.parterre.deploy.network.NetworkTransport;
import io.parterre.deploy.operator.OperatorCommands;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * A manager, three servers and a front end, each a process; an operator has a range split in two.
 */
@Timeout(180)
@Tag("long")
class RangeSplitIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TABLE = "Splits";
    private static final int PARTITIONS = 40;
    private static final Pattern ROW_KEY = Pattern.compile("\"RowKey\":\"([^\"]+)\"");

    /** So many that what else the cluster keeps in its range is next to nothing. */
    private static final String VALUE = "x".repeat(1_000);

    @TempDir private Path folder;

    private LocalCluster cluster;
    private TableCalls calls;
    private Thread lastResort;

    @BeforeEach
    void start() throws Exception {
        cluster =
                LocalCluster.create(
                        folder.resolve("cluster"),
                        Path.of("target/parterre"),
                        new LocalClusterPlan(1, 3, 1, 3, List.of(), Map.of()));
        // A build that is interrupted must not leave processes behind.
        lastResort = new Thread(cluster::killAll, "kill-cluster");
        Runtime.getRuntime().addShutdownHook(lastResort);
        cluster.startAll();
        cluster.awaitServing(PATIENCE);
        calls =
                new TableCalls(
                        "http://" + cluster.node("f1").address("table"),
                        LocalCluster.ACCOUNT,
                        LocalCluster.KEY);
        assertThat(calls.createTable(TABLE)).isEqualTo(201);
    }

    @AfterEach
    void end() {
        cluster.killAll();
        Runtime.getRuntime().removeShutdownHook(lastResort);
    }

    @Test
    void everyRowIsReadOnce_whenOperatorSplitsRangeUnderWrites() throws Exception {
        // Only the writer touches them while it lives.
        Set<String> acknowledged = new HashSet<>();
        List<Integer> unexpected = new ArrayList<>();
        AtomicInteger written = new AtomicInteger();
        AtomicBoolean enough = new AtomicBoolean();
        Thread writer =
                new Thread(
                        () -> {
                            while (!enough.get()) {
                                write(written.get(), acknowledged, unexpected);
                                written.incrementAndGet();
                            }
                        },
                        "writer");
        writer.start();
        try {
            await().atMost(PATIENCE).until(() -> written.get() >= 2 * PARTITIONS);
            assertThat(ranges()).hasSize(1);
            operate("split", "1");
            await().atMost(PATIENCE).until(() -> ranges().size() == 2);
            // Both halves take writes.
            int before = written.get();
            await().atMost(PATIENCE).until(() -> written.get() >= before + 2 * PARTITIONS);
        } finally {
            enough.set(true);
            writer.join();
        }

        assertThat(unexpected).isEmpty();
        for (String row : acknowledged) {
            assertThat(calls.read(TABLE, partition(row), row).statusCode()).as(row).isEqualTo(200);
        }
        assertThat(pagedRows())
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(acknowledged);
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(ranges()).hasSize(2).allMatch(RangeSplitIT::isServed));
    }

    private static String partition(String row) {
        return "p-" + Integer.parseInt(row.substring(4)) % PARTITIONS;
    }

    /** Until it is acknowledged, or found there: an earlier try was in doubt. */
    private void write(int number, Set<String> acknowledged, List<Integer> unexpected) {
        String row = "row-" + number;
        try {
            int status;
            do {
                status = calls.insert(TABLE, partition(row), row, VALUE);
            } while (status == 503);
            if (status == 201 || status == 409) {
                acknowledged.add(row);
            } else {
                unexpected.add(status);
            }
        } catch (IOException broken) {
            unexpected.add(0);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Row keys of the whole table, a few a page, as often as they come. */
    private List<String> pagedRows() throws Exception {
        List<String> rows = new ArrayList<>();
        String next = "";
        do {
            HttpResponse<String> page = calls.query(TABLE, "$top=7" + next);
            assertThat(page.statusCode()).isEqualTo(200);
            Matcher row = ROW_KEY.matcher(page.body());
            while (row.find()) {
                rows.add(row.group(1));
            }
            next = continuation(page, "NextPartitionKey") + continuation(page, "NextRowKey");
        } while (!next.isEmpty());
        return rows;
    }

    private static String continuation(HttpResponse<String> page, String name) {
        return page.headers()
                .firstValue("x-ms-continuation-" + name)
                .map(value -> "&" + name + "=" + URLEncoder.encode(value, UTF_8))
                .orElse("");
    }

    private List<String> ranges() {
        return operate("ranges").lines().filter(line -> line.matches("\\d+ .*")).toList();
    }

    /** Whether the range has the generation of the split and a leader. */
    private static boolean isServed(String range) {
        return range.matches("\\d+\\s+2\\s+s\\d\\s.*");
    }

    private String operate(String... arguments) {
        CommandLine commands = new CommandLine(CommandLine.Model.CommandSpec.create());
        OperatorCommands.addTo(commands, NetworkTransport::new);
        StringWriter out = new StringWriter();
        commands.setOut(new PrintWriter(out, true));
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--config=" + cluster.operatorSettings());
        all.add("--timeout=60");
        assertThat(commands.execute(all.toArray(String[]::new))).isZero();
        return out.toString();
    }
}

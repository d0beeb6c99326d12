package io.parterre.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.management.UnixOperatingSystemMXBean;
import io.parterre.chaos.client.Account;
import io.parterre.chaos.client.RawRequest;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.process.ServerProcess;
import io.parterre.chaos.process.ServerSettings;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * As many clients as there are handles make a server of the shipped size hold what they can: idle
 * connections, headers of thousands of lines without an end, pages that nobody takes. A tenant that
 * behaves must get each of its answers, and hardly later than without them.
 */
@Course
@Timeout(600)
class HoardingClientsIT {
    private static final Logger LOG = LoggerFactory.getLogger(HoardingClientsIT.class);

    private static final Duration QUIET = Duration.ofSeconds(20);
    private static final Duration ATTACK =
            Duration.ofSeconds(Integer.getInteger("parterre.chaos.seconds", 60));

    private static final int IDLE = 20_000;
    private static final int HEADERS = 2_000;
    private static final int READERS = 500;

    /** For files of the store and the process, and for connections that are being closed. */
    private static final int HANDLES_BESIDE = 1_500;

    /** Below it, the machine's noise counts for more than the server. */
    private static final Duration P99_FLOOR = Duration.ofMillis(250);

    private static final Account GREEDY = account("greedy");
    private static final Account GOOD = account("good");

    private static Account account(String name) {
        byte[] key = ("key of " + name).getBytes(StandardCharsets.UTF_8);
        return new Account(name, Base64.getEncoder().encodeToString(key));
    }

    private static int handles() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean os
                ? (int) Math.min(os.getMaxFileDescriptorCount(), 100_000)
                : 0;
    }

    @Test
    void tenantIsServedInTime_whileOthersHoardMemory() throws Exception {
        int handles = handles();
        int idle = Math.min(IDLE, handles - HEADERS - READERS - HANDLES_BESIDE);
        assumeThat(idle).as("idle connections that %s handles suffice for", handles).isPositive();
        if (idle < IDLE) {
            LOG.warn("scaled down for want of handles: idle={} handles={}", idle, handles);
        }
        ServerSettings settings =
                ChaosRun.named("hoarding", "-Xmx512m")
                        .settings()
                        .withEnvironment(
                                Map.of(
                                        "PARTERRE_ACCOUNTS",
                                        text(GREEDY) + ";" + text(GOOD),
                                        // So that it is full before it has no handle left.
                                        "PARTERRE_FRONT_END_HTTP_CONNECTIONS_MAX",
                                        Integer.toString(idle)));
        try (ServerProcess server = ServerProcess.start(settings)) {
            URI greedy = endpoint(settings, GREEDY);
            load(greedy);
            TableConnection connection =
                    new TableConnection(endpoint(settings, GOOD), GOOD, Duration.ofSeconds(20));
            connection.createTable("Good");
            SteadyTenant tenant = new SteadyTenant(connection, "Good");
            tenant.during(QUIET.dividedBy(2));
            SteadyTenant.Course before = tenant.during(QUIET);
            SteadyTenant.Course during;
            try (Hoarders hoarders = new Hoarders(greedy)) {
                Hoarders.Kind readers =
                        hoarders.add("127.0.0.2", READERS, 1, pages(greedy, GREEDY, "Pages"));
                Hoarders.Kind headers = hoarders.add("127.0.0.3", HEADERS, 4_096, endlessHeader());
                Hoarders.Kind silent = hoarders.add("127.0.0.4", idle, 1, new byte[0]);
                hoarders.start();
                during = tenant.during(ATTACK);
                LOG.info(
                        "hoarding clients: before: {}; during: {}; cut off: readers={} headers={}"
                                + " idle={}; resident={} MiB\n{}",
                        before,
                        during,
                        readers.cutOff(),
                        headers.cutOff(),
                        silent.cutOff(),
                        server.residentBytes() >> 20,
                        metrics(settings));
            }
            assertThat(server.isAlive()).as(server::endOfLog).isTrue();
            assertThat(before.errors()).isEmpty();
            assertThat(during.errors()).isEmpty();
            assertThat(during.calls()).isGreaterThan(before.calls());
            Duration limit = before.p99().multipliedBy(2);
            assertThat(during.p99())
                    .as("p99 beside hoarders, without them %s", before.p99())
                    .isLessThanOrEqualTo(limit.compareTo(P99_FLOOR) < 0 ? P99_FLOOR : limit);
        }
    }

    /** What the server says of what it holds and refuses. */
    private static String metrics(ServerSettings settings) throws Exception {
        URI address = URI.create("http://127.0.0.1:" + settings.adminPort() + "/metrics");
        String all =
                HttpClient.newHttpClient()
                        .send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString())
                        .body();
        return all.lines()
                .filter(
                        line ->
                                line.startsWith("front_end_in_flight")
                                        || line.startsWith("front_end_cut_offs")
                                        || line.startsWith("front_end_refusals")
                                        || line.startsWith("front_end_throttled")
                                        || line.startsWith("front_end_connections")
                                        || line.startsWith("jvm_gc_pause_seconds_max"))
                .collect(Collectors.joining("\n"));
    }

    private static String text(Account account) {
        return account.name() + ":" + account.keyBase64();
    }

    private static URI endpoint(ServerSettings settings, Account account) {
        return URI.create("http://127.0.0.1:" + settings.tablePort() + "/" + account.name());
    }

    /** A table whose first page is as large as a page may be. */
    private static void load(URI greedy) {
        new TableConnection(greedy, GREEDY, Duration.ofSeconds(20)).createTable("Pages");
        String value = "v".repeat(30_000);
        try (RawSocket socket = RawSocket.open(greedy)) {
            for (int i = 0; i < 60; i++) {
                RawRequest insert =
                        RawRequest.insert(
                                greedy,
                                GREEDY,
                                "Pages",
                                String.format(
                                        "{\"PartitionKey\":\"p\",\"RowKey\":\"%03d\",\"a\":\"%s\","
                                                + "\"b\":\"%s\",\"c\":\"%s\"}",
                                        i, value, value, value));
                socket.send(insert.head());
                socket.send(insert.body());
                assertThat(socket.answerHead()).startsWith("HTTP/1.1 204");
            }
        }
    }

    /** Queries of a table's first page, one behind the other. */
    static byte[] pages(URI endpoint, Account account, String table) {
        byte[] head = RawRequest.page(endpoint, account, table).head();
        return new String(head, StandardCharsets.US_ASCII)
                .repeat(16)
                .getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] endlessHeader() {
        return RawSocket.ascii("GET / HTTP/1.1\r\n" + "a:\r\n".repeat(15_000));
    }
}

package io.parterre.bench.subject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.parterre.file.DurableFiles;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Three etcd members with default settings (so that a majority has synced what is answered), if
 * this machine has etcd, over loopback and on the same disk. All requests go to the leading member,
 * which saves a hop.
 */
public final class Etcd implements AutoCloseable {
    private static final int MEMBERS = 3;
    private static final Duration START_AT_MOST = Duration.ofSeconds(60);
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(50);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path folder;
    private final List<Child> members;
    private final int leaderPort;

    private Etcd(Path folder, List<Child> members, int leaderPort) {
        this.folder = folder;
        this.members = members;
        this.leaderPort = leaderPort;
    }

    /** Returns the program; empty if there is none. */
    public static Optional<Path> find() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .filter(entry -> !entry.isEmpty())
                .map(entry -> Path.of(entry, "etcd"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Returns the program's version, such as "etcd Version: 3.4.23". */
    public static String version(Path program) throws IOException {
        Process process = new ProcessBuilder(program.toString(), "--version").start();
        return new String(
                        process.getInputStream().readAllBytes(),
                        java.nio.charset.StandardCharsets.UTF_8)
                .lines()
                .findFirst()
                .orElse("etcd");
    }

    /** Starts a cluster and waits until it has a leader. */
    public static Etcd start(Children children, Path workFolder, Path program)
            throws IOException, InterruptedException {
        Files.createDirectories(workFolder);
        Path folder = Files.createTempDirectory(workFolder, "etcd-");
        List<Integer> clientPorts = new ArrayList<>();
        List<Integer> peerPorts = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++) {
            clientPorts.add(Targets.freePort());
            peerPorts.add(Targets.freePort());
        }
        String cluster =
                Stream.iterate(0, i -> i + 1)
                        .limit(MEMBERS)
                        .map(i -> "e" + i + "=" + url(peerPorts.get(i)))
                        .collect(Collectors.joining(","));
        List<Child> members = new ArrayList<>();
        for (int i = 0; i < MEMBERS; i++) {
            members.add(
                    children.start(
                            "etcd " + i,
                            folder.resolve("log" + i),
                            Map.of(),
                            List.of(
                                    program.toString(),
                                    "--name",
                                    "e" + i,
                                    "--data-dir",
                                    folder.resolve("e" + i).toString(),
                                    "--listen-client-urls",
                                    url(clientPorts.get(i)),
                                    "--advertise-client-urls",
                                    url(clientPorts.get(i)),
                                    "--listen-peer-urls",
                                    url(peerPorts.get(i)),
                                    "--initial-advertise-peer-urls",
                                    url(peerPorts.get(i)),
                                    "--initial-cluster",
                                    cluster)));
        }
        return new Etcd(folder, members, awaitLeader(clientPorts, members));
    }

    private static String url(int port) {
        return "http://127.0.0.1:" + port;
    }

    private static int awaitLeader(List<Integer> clientPorts, List<Child> members)
            throws IOException, InterruptedException {
        HttpClient client = HttpClient.newHttpClient();
        long endNanos = System.nanoTime() + START_AT_MOST.toNanos();
        while (System.nanoTime() - endNanos < 0) {
            for (int port : clientPorts) {
                if (leads(client, port)) {
                    return port;
                }
            }
            if (members.get(0).ended(BETWEEN_TRIES)) {
                break;
            }
        }
        throw new IOException("no leader\n" + members.get(0).lastWords());
    }

    private static boolean leads(HttpClient client, int port) throws InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url(port) + "/v3/maintenance/status"))
                        .timeout(Duration.ofSeconds(2))
                        .POST(HttpRequest.BodyPublishers.ofString("{}"))
                        .build();
        try {
            JsonNode status =
                    JSON.readTree(
                            client.send(request, HttpResponse.BodyHandlers.ofString()).body());
            String leader = status.path("leader").asText();
            return !leader.isEmpty()
                    && !leader.equals("0")
                    && leader.equals(status.path("header").path("member_id").asText());
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Returns the port of the member that led at the start. */
    public int leaderPort() {
        return leaderPort;
    }

    /** Returns the processor time of all members since their start. */
    public double cpuSeconds() throws IOException {
        double sum = 0;
        for (Child member : members) {
            sum += ProcessUse.of(member.pid()).cpuSeconds();
        }
        return sum;
    }

    @Override
    public void close() throws IOException {
        members.forEach(Child::close);
        DurableFiles.removeFolder(folder);
    }
}

package io.parterre.bench.subject;

import io.parterre.bench.load.Measurement;
import io.parterre.file.DurableFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * PostgreSQL with its default configuration (so that a commit is synced), if this machine has it,
 * with its own data folder, over loopback. Its own {@code pgbench} drives it, with prepared
 * statements: it does not use our protocol, and is allowed to have one layer less.
 */
public final class Postgres implements AutoCloseable {
    private static final String USER = "postgres";
    private static final Pattern RATE = Pattern.compile("tps = ([0-9.]+)");
    private static final Pattern DONE = Pattern.compile("actually processed: (\\d+)");
    private static final Pattern LATENCY = Pattern.compile("latency average = ([0-9.]+) ms");
    private static final Pattern FAILED = Pattern.compile("failed transactions: (\\d+)");

    private final Path binaries;
    private final Path folder;
    private final int port;
    private final Child server;
    private final long rows;

    private Postgres(Path binaries, Path folder, int port, Child server, long rows) {
        this.binaries = binaries;
        this.folder = folder;
        this.port = port;
        this.server = server;
        this.rows = rows;
    }

    /** Kinds of request; the texts are scripts of pgbench. */
    public enum Question {
        SELECT("select"),
        INSERT("insert"),
        UPSERT("upsert");

        private final String script;

        Question(String script) {
            this.script = script;
        }
    }

    /** Returns the newest installation's binaries; empty if there is none. */
    public static Optional<Path> find() throws IOException {
        Path versions = Path.of("/usr/lib/postgresql");
        if (!Files.isDirectory(versions)) {
            return Optional.empty();
        }
        try (Stream<Path> all = Files.list(versions)) {
            return all.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                    .filter(bin -> Files.isExecutable(bin.resolve("pgbench")))
                    .max(Path::compareTo);
        }
    }

    /**
     * Creates a PostgreSQL cluster, starts it and fills a table.
     *
     * @param rows number of rows of about 1 KiB that selects and upserts find
     */
    public static Postgres start(Children children, Path workFolder, Path binaries, long rows)
            throws IOException, InterruptedException {
        Files.createDirectories(workFolder);
        Path folder = Files.createTempDirectory(workFolder, "postgres-");
        if (runsAsRoot()) { // PostgreSQL refuses to run as root.
            must(List.of("chown", USER, folder.toString()));
        }
        Path data = folder.resolve("cluster");
        must(
                asUser(
                        binaries.resolve("initdb").toString(),
                        "--auth=trust",
                        "--username=" + USER,
                        "--pgdata=" + data));
        int port = Targets.freePort();
        Child server =
                children.start(
                        "postgres",
                        folder.resolve("log"),
                        Map.of(),
                        asUser(
                                binaries.resolve("postgres").toString(),
                                "-D",
                                data.toString(),
                                "-p",
                                Integer.toString(port),
                                "-c",
                                "listen_addresses=127.0.0.1",
                                "-c",
                                "unix_socket_directories=" + folder));
        Postgres postgres = new Postgres(binaries, folder, port, server, rows);
        postgres.awaitService();
        postgres.fill();
        return postgres;
    }

    private static boolean runsAsRoot() {
        return System.getProperty("user.name").equals("root");
    }

    private static List<String> asUser(String... command) {
        List<String> words = new ArrayList<>();
        if (runsAsRoot()) {
            words.addAll(List.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--init-groups"));
        }
        words.addAll(List.of(command));
        return words;
    }

    private void awaitService() throws IOException, InterruptedException {
        long endNanos = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        List<String> ask =
                List.of(
                        binaries.resolve("pg_isready").toString(),
                        "-q",
                        "-h",
                        "127.0.0.1",
                        "-p",
                        Integer.toString(port));
        while (System.nanoTime() - endNanos < 0) {
            if (new ProcessBuilder(ask).start().waitFor() == 0) {
                return;
            }
            if (server.ended(Duration.ofMillis(50))) {
                break;
            }
        }
        throw new IOException("no service\n" + server.lastWords());
    }

    private void fill() throws IOException, InterruptedException {
        for (Question question : Question.values()) {
            String name = "postgres-" + question.script + ".sql";
            try (var script = Postgres.class.getResourceAsStream(name)) {
                Files.copy(script, folder.resolve(name));
            }
        }
        try (var schema = Postgres.class.getResourceAsStream("postgres-schema.sql")) {
            String text = new String(schema.readAllBytes(), StandardCharsets.UTF_8);
            Path file = folder.resolve("schema.sql");
            Files.writeString(file, text.replace(":rows", Long.toString(rows)));
            List<String> command = new ArrayList<>(client("psql"));
            command.addAll(List.of("-q", "-v", "ON_ERROR_STOP=1", "-f", file.toString(), USER));
            must(command);
        }
    }

    private List<String> client(String program) {
        return List.of(
                binaries.resolve(program).toString(),
                "-h",
                "127.0.0.1",
                "-p",
                Integer.toString(port),
                "-U",
                USER);
    }

    /**
     * Runs pgbench for this time. It reports only the mean latency, which is given as the median.
     */
    public Measurement measure(Question question, int connections, Duration warmUp, Duration time)
            throws IOException, InterruptedException {
        if (!warmUp.isZero()) {
            run(question, connections, warmUp);
        }
        return parse(run(question, connections, time));
    }

    private String run(Question question, int connections, Duration time)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(client("pgbench"));
        command.addAll(
                List.of(
                        "-n",
                        "-M",
                        "prepared",
                        "-D",
                        "rows=" + rows,
                        "-c",
                        Integer.toString(connections),
                        "-j",
                        "1",
                        "-T",
                        Long.toString(Math.max(1, time.toSeconds())),
                        "-f",
                        folder.resolve("postgres-" + question.script + ".sql").toString(),
                        USER));
        return must(command);
    }

    static Measurement parse(String output) {
        double mean = 1000 * number(LATENCY, output);
        return new Measurement(
                number(DONE, output) / number(RATE, output),
                (long) number(DONE, output),
                (long) number(DONE, output),
                new Measurement.Latency(mean, Double.NaN, Double.NaN, Double.NaN),
                failures(output),
                Map.of());
    }

    private static Map<String, Long> failures(String output) {
        long failed = (long) number(FAILED, output);
        return failed == 0 ? Map.of() : Map.of("failed", failed);
    }

    private static double number(Pattern pattern, String output) {
        Matcher matcher = pattern.matcher(output);
        return matcher.find() ? Double.parseDouble(matcher.group(1)) : 0;
    }

    /** Runs a command to its end, which must be successful and within five minutes. */
    private static String must(List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("parterre-benchmarks-", ".txt");
        try {
            Process process =
                    new ProcessBuilder(command)
                            .directory(Path.of("/").toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(output.toFile())
                            .start();
            boolean ended = process.waitFor(5, TimeUnit.MINUTES);
            if (!ended) {
                process.destroyForcibly();
            }
            String text = Files.readString(output);
            if (!ended || process.exitValue() != 0) {
                throw new IOException(String.join(" ", command) + "\n" + text);
            }
            return text;
        } finally {
            Files.delete(output);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        DurableFiles.removeFolder(folder);
    }
}

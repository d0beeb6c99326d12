package io.parterre.deploy;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** A real process from the built distribution. Its output goes to files, so it never blocks. */
final class ParterreProcess implements AutoCloseable {
    private static final Path RUN = Path.of("target/parterre/bin/parterre").toAbsolutePath();
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Pattern READY =
            Pattern.compile("tables (http://\\S+?)/(\\w+), admin (http://\\S+?), ");

    /** So that a segment of a log, a 1,024th of the heap, is larger than a file may be. */
    private static final String LARGE_HEAP = "-XX:TieredStopAtLevel=1 -Xmx4g";

    private final Process process;
    private final Path out;
    private final Path err;

    private ParterreProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts {@code parterre} with these arguments in this folder. */
    static ParterreProcess start(Path folder, Map<String, String> environment, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(RUN.toString()));
        command.addAll(List.of(arguments));
        return run(folder, environment, command);
    }

    /** The same, where no file can grow beyond so many KiB: what a failing disk looks like. */
    static ParterreProcess startWithFilesLimited(Path folder, int kibibytes, String... arguments)
            throws IOException {
        return startLimited(
                folder, "-f " + kibibytes, Map.of("PARTERRE_JAVA_OPTS", LARGE_HEAP), arguments);
    }

    /** The same, with so many handles for files and sockets together. */
    static ParterreProcess startWithHandlesLimited(Path folder, int handles, String... arguments)
            throws IOException {
        return startLimited(folder, "-n " + handles, Map.of(), arguments);
    }

    /** The same, within a memory limit, with both compilers: what uses memory is to use it. */
    static ParterreProcess startIn(
            MemoryCgroup cgroup, Path folder, Map<String, String> environment, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(RUN.toString()));
        command.addAll(List.of(arguments));
        Map<String, String> whole = new HashMap<>(Map.of("PARTERRE_JAVA_OPTS", ""));
        whole.putAll(environment);
        return run(folder, whole, cgroup.command(command));
    }

    private static ParterreProcess startLimited(
            Path folder, String limit, Map<String, String> environment, String... arguments)
            throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "bash",
                                "-c",
                                "ulimit " + limit + "; exec \"$@\"",
                                "bash",
                                RUN.toString()));
        command.addAll(List.of(arguments));
        return run(folder, environment, command);
    }

    private static ParterreProcess run(
            Path folder, Map<String, String> environment, List<String> command) throws IOException {
        Path out = Files.createTempFile(folder, "out", ".log");
        Path err = Files.createTempFile(folder, "err", ".log");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("PARTERRE_"));
        // Such a process lives for seconds: the second compiler would cost more than it gives back.
        builder.environment().put("PARTERRE_JAVA_OPTS", "-XX:TieredStopAtLevel=1");
        builder.environment().putAll(environment);
        return new ParterreProcess(builder.start(), out, err);
    }

    /** {@code parterre embedded} on free ports, with its data in this folder. */
    static ParterreProcess embedded(Path folder, String... more) throws IOException {
        return start(folder, Map.of(), embeddedArguments(more));
    }

    static String[] embeddedArguments(String... more) {
        List<String> arguments = new ArrayList<>(List.of("embedded"));
        for (String port : List.of("--table-port", "--admin-port")) {
            if (!List.of(more).contains(port)) {
                arguments.addAll(List.of(port, "0"));
            }
        }
        arguments.addAll(List.of(more));
        return arguments.toArray(String[]::new);
    }

    ParterreProcess awaitReady() {
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> ready().find() || !process.isAlive());
        if (!ready().find()) {
            throw new AssertionError("not ready: " + err());
        }
        return this;
    }

    private Matcher ready() {
        return READY.matcher(out());
    }

    private String ready(int group) {
        Matcher matcher = ready();
        if (!matcher.find()) {
            throw new AssertionError("not ready: " + err());
        }
        return matcher.group(group);
    }

    /** Scheme, host and port where tables are served. */
    String tables() {
        return ready(1);
    }

    HttpResponse<String> admin(String path) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(ready(3) + path)).build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    String out() {
        return read(out);
    }

    String err() {
        return read(err);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** SIGTERM. */
    ParterreProcess terminate() {
        process.destroy();
        return this;
    }

    /** SIGKILL. */
    ParterreProcess kill() {
        process.destroyForcibly();
        return this;
    }

    int awaitExit() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toSeconds(), SECONDS)) {
            throw new AssertionError("still running: " + err());
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().orTimeout(PATIENCE.toSeconds(), SECONDS).join();
    }
}

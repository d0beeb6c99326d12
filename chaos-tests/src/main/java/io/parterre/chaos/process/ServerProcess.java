package io.parterre.chaos.process;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/**
 * One process of a server, from its start to its end by a signal. A restart is a second instance
 * with the same {@link ServerSettings}. Every wait is bounded, and a failed one shows the end of
 * the log. Not thread-safe except for {@link #isAlive()}.
 */
public final class ServerProcess implements AutoCloseable {
    private static final Duration READY_WITHIN = Duration.ofSeconds(60);
    private static final Duration END_WITHIN = Duration.ofSeconds(30);
    private static final int PROBE_MILLIS_MAX = 2_000;
    private static final int LOG_LINES_SHOWN = 60;

    private final ServerSettings settings;
    private final Process process;
    private final Thread lastResort;

    private ServerProcess(ServerSettings settings, Process process) {
        this.settings = settings;
        this.process = process;
        // An interrupted build must not leave servers behind.
        this.lastResort = new Thread(process::destroyForcibly, "kill-server-" + process.pid());
        Runtime.getRuntime().addShutdownHook(lastResort);
    }

    /** Starts a server and waits until it reports that it is ready. */
    public static ServerProcess start(ServerSettings settings) {
        ServerProcess server = launch(settings);
        try {
            server.awaitReady();
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
        return server;
    }

    /** Starts a server without waiting. */
    public static ServerProcess launch(ServerSettings settings) {
        ProcessBuilder builder = new ProcessBuilder(settings.command());
        builder.directory(settings.folder().toFile());
        builder.redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(settings.log().toFile()));
        builder.environment().putAll(settings.environment());
        builder.environment().put("PARTERRE_JAVA_OPTS", String.join(" ", settings.jvmOptions()));
        try {
            return new ServerProcess(settings, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public ServerSettings settings() {
        return settings;
    }

    public void awaitReady() {
        try {
            await("readiness at " + settings.readiness())
                    .atMost(READY_WITHIN)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> !process.isAlive() || saysReady());
        } catch (ConditionTimeoutException e) {
            throw new IllegalStateException("server is not ready" + endOfLog(), e);
        }
        if (!process.isAlive()) {
            throw new IllegalStateException(
                    "server ended with "
                            + process.exitValue()
                            + " before it was ready"
                            + endOfLog());
        }
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Kills the server with SIGKILL: nothing is flushed, no one is told. Returns when the process
     * is gone.
     */
    public void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /**
     * Terminates the server with SIGTERM, so that it may finish what it began. Returns its exit
     * status.
     */
    public int terminate() {
        process.destroy();
        return awaitEnd();
    }

    /** Waits until the server ends by itself. Returns its exit status. */
    public int awaitExit() {
        return awaitEnd();
    }

    /**
     * Pauses the server with SIGSTOP: the process keeps its sockets and does nothing. Returns when
     * it has stopped.
     */
    public void pause() {
        signal("STOP");
        await("stop of " + process.pid())
                .atMost(END_WITHIN)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> statusLine("State:").contains("T"));
    }

    /** Resumes the server with SIGCONT. */
    public void resume() {
        signal("CONT");
    }

    /** Waits for this time while the process lives; fails as soon as it ends by itself. */
    public void outlive(Duration time) {
        if (waitFor(time)) {
            throw new IllegalStateException(
                    "server ended by itself with " + process.exitValue() + endOfLog());
        }
    }

    /** Returns the number of file handles, sockets included, of the process. */
    public int openFiles() {
        try (Stream<Path> handles = Files.list(procFolder().resolve("fd"))) {
            return Math.toIntExact(handles.count());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the resident memory of the process, in bytes. */
    public long residentBytes() {
        return Long.parseLong(statusLine("VmRSS:").replaceAll("\\D", "")) * 1024;
    }

    /** Returns the last lines that this server and its predecessors in the same folder printed. */
    public String endOfLog() {
        try {
            // The log may contain invalid UTF-8, because a killed process may leave half a
            // character.
            String all = new String(Files.readAllBytes(settings.log()), StandardCharsets.UTF_8);
            List<String> lines = all.lines().toList();
            List<String> last =
                    lines.subList(Math.max(0, lines.size() - LOG_LINES_SHOWN), lines.size());
            return "\n--- end of " + settings.log() + "\n" + String.join("\n", last) + "\n---";
        } catch (IOException e) {
            return "\n--- no log: " + e;
        }
    }

    /**
     * Ends the process if it still runs, with SIGKILL, because a paused process does not handle
     * SIGTERM.
     */
    @Override
    public void close() {
        kill();
    }

    private boolean saysReady() {
        try {
            URL url = settings.readiness().toURL();
            HttpURLConnection probe = (HttpURLConnection) url.openConnection();
            probe.setConnectTimeout(PROBE_MILLIS_MAX);
            probe.setReadTimeout(PROBE_MILLIS_MAX);
            try {
                return probe.getResponseCode() == HttpURLConnection.HTTP_OK;
            } finally {
                probe.disconnect();
            }
        } catch (IOException e) {
            return false; // No process listens yet.
        }
    }

    private String statusLine(String name) {
        try {
            for (String line : Files.readAllLines(procFolder().resolve("status"))) {
                if (line.startsWith(name)) {
                    return line.substring(name.length()).strip();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException("no " + name + " in " + procFolder().resolve("status"));
    }

    private void signal(String name) {
        try {
            Process kill =
                    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
            if (!kill.waitFor(END_WITHIN.toSeconds(), TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new IllegalStateException("SIG" + name + " could not be sent");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private int awaitEnd() {
        if (!waitFor(END_WITHIN)) {
            throw new IllegalStateException("server did not end within " + END_WITHIN + endOfLog());
        }
        try {
            Runtime.getRuntime().removeShutdownHook(lastResort);
        } catch (IllegalStateException e) {
            // The virtual machine is shutting down and runs the hook itself; nothing is left to
            // undo.
            return process.exitValue();
        }
        return process.exitValue();
    }

    private boolean waitFor(Duration time) {
        try {
            return process.waitFor(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private Path procFolder() {
        return Path.of("/proc", Long.toString(process.pid()));
    }
}

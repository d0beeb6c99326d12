package io.parterre.deploy.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * The process with a node's pid, if it is still the same process: it must run with the node's own
 * settings file. Any other process with this pid is not ours and is left alone.
 */
final class NodeProcess {
    private static final Path SETSID = Path.of("/usr/bin/setsid");
    private static final Duration SIGNAL_TIMEOUT = Duration.ofSeconds(10);
    private static final int LOOKS_MAX = 500;
    private static final Duration LOOK_PAUSE = Duration.ofMillis(1);

    private final LocalNode node;
    private final ProcessHandle handle;

    private NodeProcess(LocalNode node, ProcessHandle handle) {
        this.node = node;
        this.handle = handle;
    }

    static Optional<NodeProcess> find(LocalNode node) {
        return node.pid() == 0
                ? Optional.empty()
                : ProcessHandle.of(node.pid())
                        .map(handle -> new NodeProcess(node, handle))
                        .filter(NodeProcess::isAlive);
    }

    /**
     * Starts the node, which outlives this process.
     *
     * @param launcher {@code bin/parterre} of a distribution
     */
    static NodeProcess start(LocalNode node, Path launcher, List<String> jvmOptions)
            throws IOException {
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(SETSID)) {
            // A terminal that is closed or interrupted must not end the cluster.
            command.add(SETSID.toString());
        }
        command.addAll(
                List.of(
                        launcher.toString(),
                        node.role().command(),
                        "--config",
                        node.settings().toString()));
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(node.folder().toFile())
                        .redirectInput(Path.of("/dev/null").toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(node.log().toFile()));
        // The environment of the command is not meant for the nodes.
        builder.environment().keySet().removeIf(name -> name.startsWith("PARTERRE_"));
        List<String> options = new ArrayList<>(NodeSettings.jvmOptions(node.role()));
        options.addAll(jvmOptions);
        builder.environment().put("PARTERRE_JAVA_OPTS", String.join(" ", options));
        Process process = builder.start();
        return new NodeProcess(node.withPid(process.pid()), process.toHandle());
    }

    long pid() {
        return handle.pid();
    }

    boolean isAlive() {
        return handle.isAlive() && isOurs();
    }

    private boolean isOurs() {
        String settings = node.settings().toString();
        for (int look = 0; look < LOOKS_MAX && handle.isAlive(); look++) {
            Optional<String[]> arguments = handle.info().arguments();
            if (arguments.isPresent()) {
                return Arrays.asList(arguments.get()).contains(settings);
            }
            // The launcher is just being replaced by the virtual machine, and has no command line
            // at this moment.
            LockSupport.parkNanos(LOOK_PAUSE.toNanos());
        }
        return false;
    }

    /** Returns whether the process is stopped by a signal and can be continued. */
    boolean isPaused() throws IOException {
        return stateLetters().startsWith("T");
    }

    /**
     * Returns the state as {@code ps} prints it. Runs {@code ps} only if the kernel has no such
     * file, because this costs a fork.
     */
    private String stateLetters() throws IOException {
        Path stat = Path.of("/proc", Long.toString(pid()), "stat");
        if (Files.exists(stat)) {
            try {
                String line = Files.readString(stat);
                // The state follows the name, which is in brackets and may itself contain some.
                return line.substring(line.lastIndexOf(')') + 1).strip();
            } catch (IOException ended) {
                return "";
            }
        }
        Process ps =
                new ProcessBuilder("ps", "-o", "stat=", "-p", Long.toString(pid()))
                        .redirectErrorStream(true)
                        .start();
        return new String(
                ps.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.US_ASCII);
    }

    /** Sends SIGTERM. */
    void terminate() {
        handle.destroy();
    }

    /** Sends SIGKILL. */
    void kill() {
        handle.destroyForcibly();
    }

    /** Sends SIGSTOP: the process keeps its sockets and does nothing. */
    void pause() throws IOException {
        signal("STOP");
    }

    /** Sends SIGCONT. */
    void resume() throws IOException {
        signal("CONT");
    }

    private void signal(String name) throws IOException {
        Process kill =
                new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                        .redirectErrorStream(true)
                        .start();
        try {
            if (!kill.waitFor(SIGNAL_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    || kill.exitValue() != 0) {
                throw new IOException("SIG" + name + " not sent to " + node.name());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Waits for the end of the process; returns false if it has not ended in time. */
    boolean awaitEnd(Duration time) {
        try {
            handle.onExit().get(time.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return !isAlive();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

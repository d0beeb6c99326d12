package io.parterre.bench.subject;

import io.parterre.bench.load.Endpoint;
import io.parterre.bench.load.FirstAnswer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts servers, each on a free port and in a new folder, and waits until they serve. */
public final class Targets {
    private static final Duration START_AT_MOST = Duration.ofSeconds(60);
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(3);

    private final Children children;
    private final Path workFolder;

    /**
     * Starts targets in subfolders of a folder.
     *
     * @param workFolder on the disk that is to be measured
     */
    public Targets(Children children, Path workFolder) {
        this.children = children;
        this.workFolder = workFolder;
    }

    /**
     * Starts Parterre with all roles in one process.
     *
     * @param launcher {@code bin/parterre} of a distribution
     * @param environment variables besides ours
     * @param settings {@code key=value} each
     */
    public Target parterre(Path launcher, Map<String, String> environment, List<String> settings)
            throws IOException, InterruptedException {
        return parterre("parterre", launcher, environment, settings);
    }

    /** Starts Parterre under another name, beside other instances. */
    public Target parterre(
            String name, Path launcher, Map<String, String> environment, List<String> settings)
            throws IOException, InterruptedException {
        int port = freePort();
        Path folder = newFolder("parterre");
        List<String> command = new ArrayList<>();
        command.add(launcher.toString());
        command.addAll(List.of("embedded", "--table-port", Integer.toString(port)));
        command.addAll(List.of("--admin-port", "0"));
        command.addAll(List.of("--data-dir", folder.resolve("data").toString()));
        settings.forEach(setting -> command.addAll(List.of("--set", setting)));
        return start(name, port, folder, environment, command);
    }

    /**
     * Starts the public emulator.
     *
     * @param main its {@code dist/src/table/main.js}
     */
    public Target emulator(Path main) throws IOException, InterruptedException {
        int port = freePort();
        Path folder = newFolder("emulator");
        return start(
                "emulator",
                port,
                folder,
                Map.of(),
                List.of(
                        "node",
                        main.toString(),
                        "--silent",
                        "--skipApiVersionCheck",
                        "--disableTelemetry",
                        "--location",
                        folder.resolve("data").toString(),
                        "--tablePort",
                        Integer.toString(port)));
    }

    /** Starts {@link AnswerServer} in a separate process, like the others. */
    public Target answerServer() throws IOException, InterruptedException {
        int port = freePort();
        Path folder = newFolder("answers");
        return start(
                "answers",
                port,
                folder,
                Map.of(),
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        AnswerServer.class.getName(),
                        Integer.toString(port)));
    }

    private Target start(
            String name,
            int port,
            Path folder,
            Map<String, String> environment,
            List<String> command)
            throws IOException, InterruptedException {
        Endpoint endpoint = Endpoint.onLoopback(port);
        long startNanos = System.nanoTime();
        Child child = children.start(name, folder.resolve("log"), environment, command);
        awaitService(child, endpoint);
        Duration took = Duration.ofNanos(System.nanoTime() - startNanos);
        return new Target(name, endpoint, child, folder, took);
    }

    private static void awaitService(Child child, Endpoint endpoint)
            throws IOException, InterruptedException {
        long endNanos = System.nanoTime() + START_AT_MOST.toNanos();
        String last = "";
        while (System.nanoTime() - endNanos < 0) {
            try {
                int status = FirstAnswer.status(endpoint, Duration.ofSeconds(5));
                if (status / 100 == 2) {
                    return;
                }
                last = "status " + status;
            } catch (IOException notYet) {
                last = String.valueOf(notYet.getMessage());
            }
            if (child.ended(BETWEEN_TRIES)) {
                throw new IOException(
                        "ended with "
                                + child.exitCode()
                                + " before it served\n"
                                + child.lastWords());
            }
        }
        child.close();
        throw new IOException("no service in 60 s, last: " + last + "\n" + child.lastWords());
    }

    private Path newFolder(String name) throws IOException {
        Files.createDirectories(workFolder);
        Path folder = Files.createTempDirectory(workFolder, name + "-");
        Files.createDirectories(folder.resolve("data"));
        return folder;
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}

package io.parterre.chaos.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A network namespace of Linux for each process of a cluster, and a bridge between them: machines
 * of their own, as far as the network goes. Packets are lost without a sign, as where a cable is
 * pulled or a switch drops them; nothing is refused. Needs root. All of it is gone after {@link
 * #close}, or when the virtual machine ends; what one left that was killed goes at the next start.
 * For one thread.
 */
public final class Namespaces implements AutoCloseable {
    private static final String PREFIX = "parterre-";
    private static final Pattern NAME = Pattern.compile(PREFIX + "(\\d+)(-\\w+)?");

    /** A private network of which no two runs share a part. */
    private static final String NETWORK = "10.213.";

    private static final int SUBNETS = 250;
    private static final int OWN_HOST = 254;

    /** Where packets go that nobody shall get. */
    private static final String NOBODY = "02:00:00:00:00:00";

    private static final long COMMAND_SECONDS_MAX = 20;

    private final String bridge;
    private final Map<String, String> addresses;
    private final Thread lastResort;

    private Namespaces(String bridge, Map<String, String> addresses) {
        this.bridge = bridge;
        this.addresses = addresses;
        this.lastResort = new Thread(this::remove, "remove-namespaces");
        // A build that is interrupted must not leave them behind.
        Runtime.getRuntime().addShutdownHook(lastResort);
    }

    /** Why there can be none here; empty: there can. */
    public static Optional<String> missing() {
        String probe = PREFIX + ProcessHandle.current().pid();
        try {
            run("ip", "netns", "add", probe);
        } catch (IllegalStateException refused) {
            return Optional.of(refused.getMessage());
        }
        try {
            run("ip", "link", "add", bridgeName(), "type", "bridge");
            tryRun("ip", "link", "del", bridgeName());
            return Optional.empty();
        } catch (IllegalStateException refused) {
            return Optional.of(refused.getMessage());
        } finally {
            tryRun("ip", "netns", "del", probe);
        }
    }

    private static String bridgeName() {
        // Names of interfaces have 15 characters at most.
        return PREFIX.charAt(0) + "b" + ProcessHandle.current().pid();
    }

    /** One for each of these processes. */
    public static Namespaces create(List<String> names) {
        removeAbandoned();
        String subnet = NETWORK + freeSubnet() + ".";
        Map<String, String> addresses = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            addresses.put(names.get(i), subnet + (i + 1));
        }
        Namespaces created = new Namespaces(bridgeName(), addresses);
        try {
            created.build(subnet + OWN_HOST);
            return created;
        } catch (RuntimeException failure) {
            created.close();
            throw failure;
        }
    }

    private static int freeSubnet() {
        String taken = run("ip", "-o", "-4", "addr");
        long pid = ProcessHandle.current().pid();
        for (int i = 0; i < SUBNETS; i++) {
            int subnet = (int) ((pid + i) % SUBNETS);
            if (!taken.contains(" " + NETWORK + subnet + ".")) {
                return subnet;
            }
        }
        throw new IllegalStateException("no free network in " + NETWORK + "0.0/16");
    }

    private void build(String ownAddress) {
        run("ip", "link", "add", bridge, "type", "bridge");
        run("ip", "addr", "add", ownAddress + "/24", "dev", bridge);
        run("ip", "link", "set", bridge, "up");
        addresses.forEach(
                (name, address) -> {
                    String namespace = namespace(name);
                    run("ip", "netns", "add", namespace);
                    run(
                            "ip",
                            "link",
                            "add",
                            link(name),
                            "type",
                            "veth",
                            "peer",
                            "name",
                            "eth0",
                            "netns",
                            namespace);
                    run("ip", "link", "set", link(name), "master", bridge, "up");
                    run("ip", "-n", namespace, "addr", "add", address + "/24", "dev", "eth0");
                    run("ip", "-n", namespace, "link", "set", "eth0", "up");
                    run("ip", "-n", namespace, "link", "set", "lo", "up");
                });
    }

    private static String namespace(String name) {
        return PREFIX + ProcessHandle.current().pid() + "-" + name;
    }

    private static String link(String name) {
        return PREFIX.charAt(0) + name + "-" + ProcessHandle.current().pid();
    }

    /** Where the processes are reached, by their names. */
    Map<String, String> addresses() {
        return Map.copyOf(addresses);
    }

    /**
     * A folder to start a cluster from as from a distribution: each process begins in its
     * namespace.
     *
     * @param cluster the cluster's folder, whose name it has
     */
    Path launching(Path distribution, Path cluster) {
        Path folder = Path.of(cluster.toAbsolutePath() + "-launching");
        Path launcher = folder.resolve("bin/parterre");
        String script =
                """
                #!/bin/sh
                # Called as: ROLE --config FOLDER/NAME/parterre.yaml
                name=$(basename "$(dirname "$3")")
                exec ip netns exec "%s-$name" "%s" "$@"
                """
                        .formatted(
                                PREFIX + ProcessHandle.current().pid(),
                                distribution.resolve("bin/parterre"));
        try {
            Files.createDirectories(launcher.getParent());
            Files.writeString(launcher, script);
            Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return folder;
    }

    /** Pulls its cable: nobody hears it, and it hears nobody. */
    public void isolate(String name) {
        run("ip", "link", "set", link(name), "nomaster");
    }

    /** Plugs it in again. */
    public void connect(String name) {
        run("ip", "link", "set", link(name), "master", bridge);
    }

    /** Nothing that one sends arrives at the other; the other way is as it was. */
    public void cut(String from, String to) {
        run(
                "ip",
                "-n",
                namespace(from),
                "neigh",
                "replace",
                addresses.get(to),
                "lladdr",
                NOBODY,
                "dev",
                "eth0",
                "nud",
                "permanent");
    }

    /** Ends every fault. */
    public void heal() {
        for (String name : addresses.keySet()) {
            connect(name);
            // Addresses are asked for again.
            tryRun(
                    "ip",
                    "-n",
                    namespace(name),
                    "neigh",
                    "flush",
                    "dev",
                    "eth0",
                    "nud",
                    "permanent");
            tryRun(
                    "ip",
                    "netns",
                    "exec",
                    namespace(name),
                    "tc",
                    "qdisc",
                    "del",
                    "dev",
                    "eth0",
                    "root");
        }
    }

    /**
     * What it sends takes longer, and some of it is lost.
     *
     * @return whether this kernel can do that
     */
    public boolean slowDown(String name, int delayMillis, int lossPercent) {
        return tryRun(
                "ip",
                "netns",
                "exec",
                namespace(name),
                "tc",
                "qdisc",
                "replace",
                "dev",
                "eth0",
                "root",
                "netem",
                "delay",
                delayMillis + "ms",
                "loss",
                lossPercent + "%");
    }

    @Override
    public void close() {
        remove();
        try {
            Runtime.getRuntime().removeShutdownHook(lastResort);
        } catch (IllegalStateException e) {
            // The virtual machine is going down and runs the hook itself; it finds nothing left.
            return;
        }
    }

    private void remove() {
        addresses.keySet().forEach(name -> tryRun("ip", "link", "del", link(name)));
        addresses.keySet().forEach(name -> tryRun("ip", "netns", "del", namespace(name)));
        tryRun("ip", "link", "del", bridge);
    }

    /** Those of runs whose process no longer exists. */
    private static void removeAbandoned() {
        for (String line : run("ip", "netns", "list").lines().toList()) {
            String name = line.split(" ", 2)[0];
            Matcher ours = NAME.matcher(name);
            if (ours.matches() && !isAlive(ours.group(1))) {
                tryRun("ip", "netns", "del", name);
                tryRun("ip", "link", "del", PREFIX.charAt(0) + "b" + ours.group(1));
            }
        }
    }

    private static boolean isAlive(String pid) {
        return ProcessHandle.of(Long.parseLong(pid)).isPresent();
    }

    private static boolean tryRun(String... command) {
        try {
            run(command);
            return true;
        } catch (IllegalStateException failed) {
            return false;
        }
    }

    private static String run(String... command) {
        List<String> words = new ArrayList<>(List.of(command));
        try {
            Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(COMMAND_SECONDS_MAX, TimeUnit.SECONDS)
                    || process.exitValue() != 0) {
                throw new IllegalStateException(String.join(" ", words) + ": " + said.strip());
            }
            return said;
        } catch (IOException e) {
            throw new IllegalStateException(String.join(" ", words) + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}

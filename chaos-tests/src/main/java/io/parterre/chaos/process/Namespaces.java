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
 * A Linux network namespace for each process of a cluster, and a bridge between them: separate
 * machines, as far as the network is concerned. Packets are lost without a sign, as if a cable were
 * pulled or a switch dropped them; nothing is refused. Needs root. Everything is removed by {@link
 * #close}, or when the virtual machine ends; what a killed one left is removed at the next start.
 * Confined to one thread.
 */
public final class Namespaces implements AutoCloseable {
    private static final String PREFIX = "parterre-";
    private static final Pattern NAME = Pattern.compile(PREFIX + "(\\d+)(-\\w+)?");

    /** A private network, of which concurrent runs use different subnets. */
    private static final String NETWORK = "10.213.";

    private static final int SUBNETS = 250;
    private static final int OWN_HOST = 254;

    /** Hardware address to which packets go that must not arrive. */
    private static final String NOBODY = "02:00:00:00:00:00";

    private static final long COMMAND_SECONDS_MAX = 20;

    private final String bridge;
    private final Map<String, String> addresses;
    private final Thread lastResort;

    private Namespaces(String bridge, Map<String, String> addresses) {
        this.bridge = bridge;
        this.addresses = addresses;
        this.lastResort = new Thread(this::remove, "remove-namespaces");
        // An interrupted build must not leave namespaces behind.
        Runtime.getRuntime().addShutdownHook(lastResort);
    }

    /** Returns why namespaces cannot be used here; empty if they can. */
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
        // Names of interfaces have at most 15 characters.
        return PREFIX.charAt(0) + "b" + ProcessHandle.current().pid();
    }

    /** Creates a namespace for each of these processes. */
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

    /** Returns the addresses of the processes, by their names. */
    Map<String, String> addresses() {
        return Map.copyOf(addresses);
    }

    /**
     * Returns a folder that replaces a distribution and starts each process in its namespace.
     *
     * @param cluster the cluster's folder, from which the name is derived
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

    /** Pulls the process's cable: packets pass in neither direction. */
    public void isolate(String name) {
        run("ip", "link", "set", link(name), "nomaster");
    }

    /** Plugs the process's cable in again. */
    public void connect(String name) {
        run("ip", "link", "set", link(name), "master", bridge);
    }

    /** Drops all packets from one process to another; the other direction stays as it was. */
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

    /** Ends all faults. */
    public void heal() {
        for (String name : addresses.keySet()) {
            connect(name);
            // Makes the kernel resolve addresses again.
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
     * Delays the process's packets, and drops some of them.
     *
     * @return whether this kernel can do this
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
            // The virtual machine is shutting down and runs the hook itself, which finds nothing
            // left to remove.
            return;
        }
    }

    private void remove() {
        addresses.keySet().forEach(name -> tryRun("ip", "link", "del", link(name)));
        addresses.keySet().forEach(name -> tryRun("ip", "netns", "del", namespace(name)));
        tryRun("ip", "link", "del", bridge);
    }

    /** Removes the namespaces of runs whose process no longer exists. */
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

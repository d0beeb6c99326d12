package io.parterre.deploy.train;

import io.parterre.deploy.config.ConfigException;
import io.parterre.deploy.config.ConfigReader;
import io.parterre.deploy.config.FlagSetting;
import io.parterre.deploy.config.ParterreConfig;
import io.parterre.deploy.local.LoopbackPorts;
import io.parterre.deploy.node.ClusterNode;
import io.parterre.deploy.node.DevelopmentAccount;
import io.parterre.deploy.node.EmbeddedNode;
import io.parterre.deploy.node.RoleName;
import io.parterre.deploy.node.StartException;
import io.parterre.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;

/**
 * Two table services, one after the other in this process, each under load: {@code parterre
 * embedded}, whose roles call each other within the process, and a manager, a server and a front
 * end that communicate over loopback like processes of a cluster. Their data is discarded.
 */
public final class Training {
    /**
     * Shares of the time: each kind of process serves the same calls, the cluster adds its network.
     */
    private static final int EMBEDDED_SHARES = 2;

    private static final int SHARES = 3;
    private static final Duration SERVE_WITHIN = Duration.ofSeconds(90);

    private final String version;
    private final InstantSource clock;
    private final BiConsumer<String, Throwable> onFailure;
    private final LoopbackPorts ports = new LoopbackPorts();

    /**
     * Creates a training without starting anything.
     *
     * @param onFailure as of {@link EmbeddedNode#start}
     */
    public Training(String version, InstantSource clock, BiConsumer<String, Throwable> onFailure) {
        this.version = version;
        this.clock = clock;
        this.onFailure = onFailure;
    }

    /**
     * Runs the whole training.
     *
     * @param time time of the load, without starts and stops
     * @return number of answered calls
     * @throws IOException if a call was refused or not answered
     */
    public long run(Duration time)
            throws IOException, InterruptedException, ConfigException, StartException {
        Duration embedded = time.multipliedBy(EMBEDDED_SHARES).dividedBy(SHARES);
        Path folder = Files.createTempDirectory("parterre-training");
        try {
            return embedded(folder.resolve("embedded"), embedded)
                    + cluster(folder, time.minus(embedded));
        } finally {
            DurableFiles.removeFolder(folder);
        }
    }

    private long embedded(Path folder, Duration time)
            throws IOException, InterruptedException, ConfigException, StartException {
        int port = ports.next();
        ParterreConfig config = config(folder, "frontEnd.http.port=" + port);
        EmbeddedNode node = EmbeddedNode.start(config, version, onFailure);
        try {
            return new TrainingLoad(port, clock).run(time);
        } finally {
            node.close();
        }
    }

    private long cluster(Path folder, Duration time)
            throws IOException, InterruptedException, ConfigException, StartException {
        int raft = ports.next();
        int service = ports.next();
        int tables = ports.next();
        String managers = "cluster.managers=m1=127.0.0.1:" + raft + "/127.0.0.1:" + service;
        Deque<ClusterNode> nodes = new ArrayDeque<>();
        try {
            nodes.push(
                    node(
                            RoleName.PARTITION_MANAGER,
                            config(
                                    folder.resolve("m1"),
                                    managers,
                                    "manager.id=m1",
                                    "manager.policy.replicas=1",
                                    "accounts="
                                            + DevelopmentAccount.NAME
                                            + ":"
                                            + DevelopmentAccount.KEY)));
            nodes.push(
                    node(
                            RoleName.PARTITION_SERVER,
                            config(
                                    folder.resolve("s1"),
                                    managers,
                                    "server.id=s1",
                                    "server.service.port=" + ports.next(),
                                    "server.raft.port=" + ports.next())));
            ClusterNode frontEnd =
                    node(
                            RoleName.FRONT_END,
                            config(folder.resolve("f1"), managers, "frontEnd.http.port=" + tables));
            nodes.push(frontEnd);
            awaitServing(frontEnd);
            return new TrainingLoad(tables, clock).run(time);
        } finally {
            while (!nodes.isEmpty()) {
                nodes.pop().close();
            }
        }
    }

    private ClusterNode node(RoleName role, ParterreConfig config) throws StartException {
        return ClusterNode.start(role, config, version, onFailure);
    }

    private static void awaitServing(ClusterNode node) throws IOException, InterruptedException {
        CountDownLatch serving = new CountDownLatch(1);
        AtomicReference<String> missing = new AtomicReference<>("unknown");
        node.whenServing(line -> serving.countDown(), missing::set);
        if (!serving.await(SERVE_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IOException(
                    "no service within "
                            + SERVE_WITHIN.toSeconds()
                            + " s, missing: "
                            + missing.get());
        }
    }

    /**
     * Returns a configuration without the machine's settings, because an archive is used with any
     * later settings.
     */
    private static ParterreConfig config(Path folder, String... settings) throws ConfigException {
        List<FlagSetting> flags = new ArrayList<>();
        flags.add(new FlagSetting("train", "dataDir", folder.toString()));
        flags.add(new FlagSetting("train", "admin.port", "0"));
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            flags.add(
                    new FlagSetting(
                            "train", setting.substring(0, equals), setting.substring(equals + 1)));
        }
        return ConfigReader.read(Optional.empty(), Map.of(), flags).config();
    }
}

package io.parterre.deploy;

import static org.awaitility.Awaitility.await;

import io.grpc.ManagedChannel;
import io.parterre.concurrent.DaemonThreads;
import io.parterre.deploy.backup.ClusterAccess;
import io.parterre.deploy.backup.ManagerAccess;
import io.parterre.deploy.backup.RowAccess;
import io.parterre.deploy.config.ConfigException;
import io.parterre.deploy.config.ConfigReader;
import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.config.OperatorToken;
import io.parterre.deploy.network.DataLossGuard;
import io.parterre.deploy.network.NetworkTransport;
import io.parterre.deploy.node.ClusterNode;
import io.parterre.deploy.node.RoleName;
import io.parterre.deploy.node.StartException;
import io.parterre.proto.admin.AdminServiceGrpc;
import io.parterre.proto.admin.AdminServiceGrpc.AdminServiceBlockingStub;
import io.parterre.proto.admin.ListRangesRequest;
import io.parterre.proto.admin.MergeRangesRequest;
import io.parterre.proto.admin.RangeStatus;
import io.parterre.proto.admin.SplitRangeRequest;
import io.parterre.testing.TestPorts;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A manager, servers and a front end in this process, which speak over the loopback. */
final class ClusterInProcess implements AutoCloseable {
    static final String ACCOUNT = "shop";
    static final String KEY = "c2VjcmV0LW9mLXRoZS1zaG9w";
    private static final String TOKEN = "token-of-operators";
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private final Path folder;
    private final Deque<ClusterNode> nodes = new ArrayDeque<>();
    private final NetworkTransport transport = new NetworkTransport();
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("test-timer"));
    private final int managerPort = TestPorts.next();
    private final int tablePort = TestPorts.next();
    private final ManagedChannel manager;
    private final CountDownLatch serving = new CountDownLatch(1);

    private ClusterInProcess(Path folder) {
        this.folder = folder;
        this.manager =
                transport.connect(
                        new HostPort("127.0.0.1", managerPort), PeerName.any(PeerRole.MANAGER));
    }

    /** A cluster that serves, with so many servers and replicas of each range. */
    static ClusterInProcess start(Path folder, int servers, int replicas) throws Exception {
        ClusterInProcess cluster = new ClusterInProcess(folder);
        int raftPort = TestPorts.next();
        String head =
                "cluster: {managers: [{id: m1, raft: \"127.0.0.1:"
                        + raftPort
                        + "\", service: \"127.0.0.1:"
                        + cluster.managerPort
                        + "\"}]}\noperatorToken: "
                        + TOKEN
                        + "\nadmin: {port: 0}\n";
        cluster.start(
                RoleName.PARTITION_MANAGER,
                "m1",
                head
                        + "manager: {id: m1, policy: {replicas: "
                        + replicas
                        + ", split: {enabled: false}}}\n"
                        + "accounts: [{name: "
                        + ACCOUNT
                        + ", keys: [\""
                        + KEY
                        + "\"]}]\n");
        for (int i = 1; i <= servers; i++) {
            cluster.start(
                    RoleName.PARTITION_SERVER,
                    "s" + i,
                    head
                            + "server: {id: s"
                            + i
                            + ", service: {port: "
                            + TestPorts.next()
                            + "}, raft: {port: "
                            + TestPorts.next()
                            + "}, store: {blockCacheBytes: 8MiB, writeBufferBytes: 8MiB}}\n");
        }
        cluster.start(
                RoleName.FRONT_END,
                "f1",
                head + "frontEnd: {http: {port: " + cluster.tablePort + "}}\n");
        if (!cluster.serving.await(90, TimeUnit.SECONDS)) {
            cluster.close();
            throw new AssertionError("the cluster does not serve");
        }
        return cluster;
    }

    private void start(RoleName role, String name, String settings)
            throws IOException, ConfigException, StartException {
        Path own = Files.createDirectories(folder.resolve(name));
        Path file =
                Files.writeString(
                        own.resolve("parterre.yaml"),
                        settings + "dataDir: " + own.resolve("data") + "\n");
        ClusterNode node =
                ClusterNode.start(
                        role,
                        ConfigReader.read(Optional.of(file), Map.of(), List.of()).config(),
                        "test",
                        (what, cause) -> {});
        nodes.push(node);
        if (role == RoleName.FRONT_END) {
            node.whenServing(line -> serving.countDown(), line -> {});
        }
    }

    TableCalls tables() {
        return new TableCalls("http://127.0.0.1:" + tablePort, ACCOUNT, KEY);
    }

    /** A file with what clients need. */
    Path connectionFile() throws IOException {
        return Files.writeString(
                folder.resolve("connection"),
                "TableEndpoint=http://127.0.0.1:"
                        + tablePort
                        + "/"
                        + ACCOUNT
                        + ";AccountName="
                        + ACCOUNT
                        + ";AccountKey="
                        + KEY);
    }

    AdminServiceBlockingStub admin() {
        return AdminServiceGrpc.newBlockingStub(manager).withDeadlineAfter(15, TimeUnit.SECONDS);
    }

    ClusterAccess access() {
        return new ClusterAccess(
                new ManagerAccess() {
                    @Override
                    public <T> T ask(Function<AdminServiceBlockingStub, T> call) {
                        return call.apply(admin());
                    }
                },
                transport);
    }

    RowAccess rows() {
        return new RowAccess(stub -> DataLossGuard.carrying(OperatorToken.of(TOKEN), stub), timer);
    }

    List<RangeStatus> ranges() {
        return admin().listRanges(ListRangesRequest.getDefaultInstance()).getRangesList();
    }

    /** Splits the largest range, and waits until that has taken effect. */
    void split(int parts) {
        int before = ranges().size();
        long largest =
                ranges().stream()
                        .max((a, b) -> Long.compare(a.getBytes(), b.getBytes()))
                        .orElseThrow()
                        .getRange()
                        .getRangeId();
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(
                        () -> {
                            if (ranges().size() == before) {
                                admin().splitRange(
                                                SplitRangeRequest.newBuilder()
                                                        .setRangeId(largest)
                                                        .setParts(parts)
                                                        .build());
                            }
                            return ranges().size() > before
                                    && ranges().stream().noneMatch(RangeStatus::hasSplit);
                        });
    }

    /** Merges one of the ranges with its right neighbour, and waits until that has taken effect. */
    void merge(int left) {
        int before = ranges().size();
        await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(
                        () -> {
                            if (ranges().size() == before) {
                                admin().mergeRanges(
                                                MergeRangesRequest.newBuilder()
                                                        .setLeftRangeId(
                                                                ranges().get(left)
                                                                        .getRange()
                                                                        .getRangeId())
                                                        .build());
                            }
                            return ranges().size() < before;
                        });
    }

    /** What a command answers. */
    record Answer(int code, String out, String err) {}

    /** Runs an operator's command, with or without the token. */
    Answer run(boolean token, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--manager", "127.0.0.1:" + managerPort));
        if (token) {
            Path file = Files.writeString(folder.resolve("token"), TOKEN);
            all.addAll(List.of("--operator-token-file", file.toString()));
        }
        return command(all.toArray(String[]::new));
    }

    /** Runs a command that asks no manager. */
    static Answer command(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code =
                Launcher.commandLine()
                        .setOut(new PrintWriter(out, true))
                        .setErr(new PrintWriter(err, true))
                        .execute(arguments);
        return new Answer(code, out.toString(), err.toString());
    }

    @Override
    public void close() {
        while (!nodes.isEmpty()) {
            nodes.pop().close();
        }
        timer.shutdownNow();
        transport.close();
    }
}

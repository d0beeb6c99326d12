package io.parterre.deploy.node;

import io.grpc.ManagedChannel;
import io.netty.util.NetUtil;
import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.config.ParterreConfig;
import io.parterre.deploy.network.InProcessTransport;
import io.parterre.deploy.secret.EncryptionKeys;
import io.parterre.endpoint.ManagerEndpoints;
import io.parterre.manager.AccountConfig;
import io.parterre.manager.secret.KeyRing;
import io.parterre.proto.admin.AdminServiceGrpc;
import io.parterre.proto.admin.FinalizeUpgradeRequest;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A manager, a server, a front end and the port for operators, in this process. */
public final class EmbeddedNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedNode.class);

    // Names in the cluster's map; within the process no one connects to them.
    private static final HostPort MANAGER_ADDRESS = new HostPort("embedded-manager", 0);
    private static final HostPort SERVER_ADDRESS = new HostPort("in-process", 0);

    private static final Duration FINALIZE_WITHIN = Duration.ofSeconds(30);

    private final ParterreConfig config;
    private final NodeShell shell;
    private final List<AccountConfig> accounts;
    private final ServingProbe probe;

    private volatile boolean stopping;
    private InetSocketAddress tableAddress;
    private InetSocketAddress adminAddress;

    private EmbeddedNode(NodeShell shell) {
        this.config = shell.config();
        this.shell = shell;
        this.accounts =
                config.accounts().accounts().isEmpty()
                        ? List.of(DevelopmentAccount.config())
                        : config.accounts().accounts();
        this.probe = ServingProbe.as(accounts.get(0).name(), shell.clock());
    }

    /**
     * Starts everything and waits until a call is served.
     *
     * @param version version of the software
     * @param onFailure told what failed and why when the process must end because a role can no
     *     longer keep what it acknowledged. Called from any thread
     * @throws StartException if the node cannot start; the operator must repair this
     */
    public static EmbeddedNode start(
            ParterreConfig config, String version, BiConsumer<String, Throwable> onFailure)
            throws StartException {
        NodeShell shell =
                new NodeShell(
                        config,
                        version,
                        // Other processes could reach only Raft's ports.
                        List.of(PeerName.any(PeerRole.MANAGER), PeerName.any(PeerRole.SERVER)),
                        tls -> new InProcessTransport(),
                        onFailure);
        return shell.started(
                () -> {
                    EmbeddedNode node = new EmbeddedNode(shell);
                    node.run();
                    return node;
                });
    }

    /** Each part is closed after those that were started later and use it. */
    private void run() throws IOException, StartException {
        // Every check that may refuse the start comes before the data folder is made.
        DataFolder.check(config.dataDir());
        adminAddress = shell.startAdmin(this::missing);
        ListenAddress.ofTables(config).check();
        KeyRing keyRing = EncryptionKeys.read(config.secrets());
        DataFolder folder = shell.openFolder();
        ManagerRole manager =
                ManagerRole.start(
                        shell,
                        folder,
                        config.manager()
                                .single(
                                        folder.resolve("manager"),
                                        MANAGER_ADDRESS.toString(),
                                        accounts,
                                        keyRing),
                        MANAGER_ADDRESS);
        // Before the server's first report, which would otherwise be refused and repeated late.
        StartWait.await("the partition manager to lead", manager.leads());
        ManagerEndpoints managers = ManagerChannels.open(shell, List.of(MANAGER_ADDRESS));
        ServerRole.start(
                shell,
                folder,
                config.server()
                        .roleOfOneNode(
                                folder.resolve("server"),
                                SERVER_ADDRESS.toString(),
                                shell.version(),
                                HandleBudget.of(config, true).storeFiles()),
                SERVER_ADDRESS,
                managers);
        tableAddress = FrontEndRole.start(shell, managers, true, probe).address();
        warnOfPublicKey();
        probe.awaitServing();
        // Closed first, so that readiness checks route clients elsewhere from then on.
        shell.add("readiness", () -> stopping = true);
    }

    private CompletionStage<Optional<String>> missing() {
        return stopping
                ? CompletableFuture.completedFuture(Optional.of("it stops"))
                : probe.missing();
    }

    private void warnOfPublicKey() {
        boolean development = accounts.contains(DevelopmentAccount.config());
        if (development && !tableAddress.getAddress().isLoopbackAddress()) {
            LOG.warn(
                    "anyone who reaches this address may read and write: the key of account {} is"
                            + " public address={}",
                    DevelopmentAccount.NAME,
                    NetUtil.toSocketAddressString(tableAddress));
        }
    }

    /**
     * Raises the feature level to the newest that this release reads, after which an earlier
     * release refuses the data folder.
     *
     * @return what was done, sentences for operators
     */
    public List<String> finalizeUpgrade() {
        ManagedChannel manager =
                shell.transport().connect(MANAGER_ADDRESS, PeerName.any(PeerRole.MANAGER));
        try {
            return AdminServiceGrpc.newBlockingStub(manager)
                    .withDeadlineAfter(FINALIZE_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
                    .finalizeUpgrade(FinalizeUpgradeRequest.getDefaultInstance())
                    .getEffectsList();
        } finally {
            manager.shutdownNow();
        }
    }

    /**
     * Returns one line for the operator who started it: where the node serves, and how to connect.
     */
    public String summary() {
        return new Summary(accounts, tableAddress, adminAddress, config.frontEnd().http().tls())
                .line();
    }

    /** Lets running calls end, then closes everything. Everything acknowledged is on disk. */
    @Override
    public void close() {
        shell.close();
    }
}

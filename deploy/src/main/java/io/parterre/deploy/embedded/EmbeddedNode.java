package io.parterre.deploy.embedded;

import io.grpc.ManagedChannel;
import io.netty.util.NetUtil;
import io.parterre.deploy.ExitCode;
import io.parterre.deploy.admin.AdminServer;
import io.parterre.deploy.admin.ProcessMeters;
import io.parterre.deploy.config.FileTrouble;
import io.parterre.deploy.config.ParterreConfig;
import io.parterre.frontend.FrontEnd;
import io.parterre.frontend.auth.AccountDirectory;
import io.parterre.frontend.auth.TokenKeys;
import io.parterre.frontend.call.HttpHandler;
import io.parterre.frontend.client.ManagerEndpoint;
import io.parterre.frontend.http.ListenException;
import io.parterre.frontend.service.TableService;
import io.parterre.frontend.store.TableStore;
import io.parterre.frontend.token.IssuerKeys;
import io.parterre.frontend.token.IssuerKeysConfig;
import io.parterre.manager.AccountConfig;
import io.parterre.manager.PartitionManager;
import io.parterre.server.PartitionServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A manager, a server, a front end and the port for operators, in this process. */
public final class EmbeddedNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedNode.class);

    /** How gRPC, also the one inside Ratis, begins its message; the cause differs by transport. */
    private static final String BIND_FAILURE = "Failed to bind to address";

    // Names in the cluster's map; within the process nobody connects to them.
    private static final String MANAGER_ADDRESS = "embedded-manager:0";
    private static final String SERVER_ADDRESS = "in-process:0";

    private final ParterreConfig config;
    private final String version;
    private final BiConsumer<String, Throwable> onFailure;
    private final List<AccountConfig> accounts;
    private final InstantSource clock = InstantSource.system();
    private final Parts parts = new Parts();
    private final ServingProbe probe;
    private final ListenAddress tables;

    private boolean folderKept = true;

    /** Whether clients may have been answered: what they were told must last. */
    private boolean heard;

    private InetSocketAddress tableAddress;
    private InetSocketAddress adminAddress;

    private EmbeddedNode(
            ParterreConfig config, String version, BiConsumer<String, Throwable> onFailure) {
        this.config = config;
        this.version = version;
        this.onFailure = onFailure;
        this.accounts =
                config.accounts().accounts().isEmpty()
                        ? List.of(DevelopmentAccount.config())
                        : config.accounts().accounts();
        this.probe = new ServingProbe(accounts.get(0).name(), clock);
        this.tables =
                ListenAddress.ofTables(
                        config.frontEnd().http().host(), config.frontEnd().http().port());
    }

    /**
     * Starts everything and waits until a call is served.
     *
     * @param version of the software
     * @param onFailure told what failed and why when the process has to end: a role can no longer
     *     keep what it acknowledged. From any thread
     * @throws StartException if it cannot start, for the operator to mend
     */
    public static EmbeddedNode start(
            ParterreConfig config, String version, BiConsumer<String, Throwable> onFailure)
            throws StartException {
        EmbeddedNode node = new EmbeddedNode(config, version, onFailure);
        try {
            node.run();
            return node;
        } catch (IOException e) {
            node.giveUp();
            throw new StartException(
                    exitCode(e), "cannot start: " + FileTrouble.reason(config.dataDir(), e), e);
        } catch (StartException | RuntimeException e) {
            node.giveUp();
            throw e;
        }
    }

    /** Closes what was started; a data folder made in vain is gone then. */
    private void giveUp() {
        folderKept = heard;
        close();
    }

    /** The Raft servers do not say in their own words that their address is taken. */
    private static ExitCode exitCode(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BindException
                    || String.valueOf(cause.getMessage()).startsWith(BIND_FAILURE)) {
                return ExitCode.ADDRESS_IN_USE;
            }
        }
        return ExitCode.FAILED;
    }

    /** More replicas than servers would be waited for in vain. */
    private void requireOneReplica() throws StartException {
        int replicas = config.manager().initialReplicas();
        if (replicas != 1) {
            throw new StartException(
                    ExitCode.USAGE,
                    "manager.initialReplicas: " + replicas + " (expected: 1 in embedded mode)");
        }
    }

    /** Each part is closed after those that were started later and use it. */
    private void run() throws IOException, StartException {
        requireOneReplica();
        // All that may be refused comes before the data folder is made.
        DataFolder.check(config.dataDir());
        ProcessMeters meters = parts.add("meters", new ProcessMeters());
        startAdmin(meters);
        tables.check();
        DataFolder folder = DataFolder.open(config.dataDir());
        parts.add("data folder", () -> close(folder));
        ManagedChannel managerChannel = startManager(folder, meters);
        InProcess rangeService = startServer(folder, meters, managerChannel);
        FrontEnd frontEnd = startFrontEnd(meters, managerChannel, rangeService);
        tableAddress = frontEnd.address();
        warnOfPublicKey();
        probe.awaitServing();
    }

    private void close(DataFolder folder) throws IOException {
        if (folderKept) {
            folder.close();
        } else {
            folder.giveUp();
        }
    }

    private void startAdmin(ProcessMeters meters) throws StartException {
        try {
            AdminServer admin =
                    parts.add(
                            "admin server",
                            AdminServer.start(config.admin(), meters.registry(), probe, clock));
            adminAddress = admin.address();
        } catch (ListenException e) {
            throw ListenAddress.ofAdmin(config.admin().host(), config.admin().port()).refused(e);
        }
    }

    private ManagedChannel startManager(DataFolder folder, ProcessMeters meters)
            throws IOException, StartException {
        PartitionManager manager =
                parts.add(
                        "partition manager",
                        PartitionManager.start(
                                config.manager()
                                        .single(
                                                folder.resolve("manager"),
                                                MANAGER_ADDRESS,
                                                accounts),
                                clock,
                                meters.registry(),
                                cause -> onFailure.accept("partition manager failed", cause)));
        // Before the server's first report, which would be sent away and come again late.
        Patience.await("the partition manager to lead", manager.ready());
        InProcess service = parts.add("manager service", InProcess.serve(manager.service()));
        ManagedChannel channel = service.connect();
        parts.add("manager channel", channel::shutdownNow);
        return channel;
    }

    private InProcess startServer(
            DataFolder folder, ProcessMeters meters, ManagedChannel managerChannel)
            throws IOException {
        PartitionServer server =
                parts.add(
                        "partition server",
                        PartitionServer.start(
                                config.server()
                                        .role(folder.resolve("server"), SERVER_ADDRESS, version),
                                managerChannel,
                                clock,
                                meters.registry(),
                                failure ->
                                        onFailure.accept(
                                                "partition server failed at " + failure.operation(),
                                                failure.cause())));
        return parts.add("range service", InProcess.serve(server.rangeService()));
    }

    private FrontEnd startFrontEnd(
            ProcessMeters meters, ManagedChannel managerChannel, InProcess rangeService)
            throws IOException, StartException {
        TokenKeys keys = issuerKeys();
        heard = true;
        try {
            return parts.add(
                    "front end",
                    FrontEnd.start(
                            config.frontEnd().role(),
                            List.of(new ManagerEndpoint(MANAGER_ADDRESS, managerChannel)),
                            (nodeId, address) -> rangeService.connect(),
                            (directory, store) -> tableService(directory, keys, store),
                            clock,
                            meters.registry()));
        } catch (ListenException e) {
            heard = false;
            throw tables.refused(e);
        } catch (SSLException e) {
            heard = false;
            throw e;
        }
    }

    /** Public keys of the issuer of bearer tokens, if any are accepted. */
    private TokenKeys issuerKeys() throws IOException {
        Optional<IssuerKeysConfig> source = config.frontEnd().table().bearer().keySource();
        return source.isPresent()
                ? parts.add("issuer keys", IssuerKeys.start(source.get(), System::nanoTime))
                : TokenKeys.NONE;
    }

    private HttpHandler tableService(AccountDirectory directory, TokenKeys keys, TableStore store) {
        probe.use(directory, store);
        return new TableService(
                directory, keys, store, clock, config.frontEnd().table().role(), new RequestIds());
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

    /** One line for whoever started it: where it serves, and how to connect. */
    public String summary() {
        return new Summary(accounts, tableAddress, adminAddress, config.frontEnd().http().tls())
                .line();
    }

    /** Lets running calls end, then closes everything. What was acknowledged is on disk. */
    @Override
    public void close() {
        parts.close();
    }
}

package io.parterre.deploy.node;

import io.parterre.deploy.ExitCode;
import io.parterre.deploy.admin.Readiness;
import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.config.ParterreConfig;
import io.parterre.deploy.network.NetworkTransport;
import io.parterre.deploy.secret.EncryptionKeys;
import io.parterre.deploy.secret.EncryptionKeysException;
import io.parterre.deploy.tls.ClusterTls;
import io.parterre.manager.secret.KeyRing;
import io.parterre.tls.CredentialsException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A process of a cluster: one role, and the port for operators. Starts whether or not other
 * processes run, and waits for them as long as necessary.
 */
public final class ClusterNode implements AutoCloseable {
    private final RoleName name;
    private final ParterreConfig config;
    private final NodeShell shell;
    private final AtomicReference<Optional<Readiness>> role =
            new AtomicReference<>(Optional.empty());

    private InetSocketAddress adminAddress;
    private String identity = "";

    private ClusterNode(RoleName name, NodeShell shell) {
        this.name = name;
        this.config = shell.config();
        this.shell = shell;
    }

    /**
     * Starts the role; returns before it serves.
     *
     * @param config checked for the role
     * @param version version of the software
     * @param onFailure told what failed and why when the process must end because the role can no
     *     longer keep what it acknowledged. Called from any thread
     * @throws StartException if the role cannot start; the operator must repair this
     */
    public static ClusterNode start(
            RoleName name,
            ParterreConfig config,
            String version,
            BiConsumer<String, Throwable> onFailure)
            throws StartException {
        NodeShell shell =
                new NodeShell(config, version, name.self(config), NetworkTransport::new, onFailure);
        return shell.started(
                () -> {
                    ClusterNode node = new ClusterNode(name, shell);
                    node.run();
                    return node;
                });
    }

    /**
     * Checks whether {@link #start} would be refused for the data folder or the addresses. Changes
     * nothing, and connects to no one.
     *
     * @throws StartException as {@link #start} does
     */
    public static void check(RoleName name, ParterreConfig config) throws StartException {
        if (name != RoleName.FRONT_END) {
            DataFolder.check(config.dataDir());
        }
        ListenAddress.ofAdmin(config).check();
        checkAddresses(name, config);
        try {
            ClusterTls.check(config.tls(), name.self(config));
            if (name == RoleName.PARTITION_MANAGER) {
                EncryptionKeys.check(config.secrets());
            }
        } catch (CredentialsException | EncryptionKeysException e) {
            throw new StartException(ExitCode.USAGE, "cannot start: " + e.getMessage(), e);
        }
    }

    private static void checkAddresses(RoleName name, ParterreConfig config) throws StartException {
        List<ListenAddress> addresses =
                switch (name) {
                    case PARTITION_MANAGER -> ListenAddress.ofManager(config);
                    case PARTITION_SERVER -> ListenAddress.ofServer(config);
                    case FRONT_END -> List.of(ListenAddress.ofTables(config));
                };
        for (ListenAddress address : addresses) {
            address.check();
        }
    }

    private void run() throws IOException, StartException {
        // Every check that may refuse the start comes before the data folder is made.
        if (name != RoleName.FRONT_END) {
            DataFolder.check(config.dataDir());
        }
        adminAddress =
                shell.startAdmin(
                        new Readiness() {
                            @Override
                            public CompletionStage<Optional<String>> missing() {
                                return ClusterNode.this.missing();
                            }

                            @Override
                            public Optional<String> warning() {
                                return role.get().flatMap(Readiness::warning);
                            }
                        });
        checkAddresses(name, config);
        Readiness started =
                switch (name) {
                    case PARTITION_MANAGER -> manager();
                    case PARTITION_SERVER -> server();
                    case FRONT_END -> frontEnd();
                };
        role.set(Optional.of(started));
        // Closed first, so that readiness checks route clients elsewhere from then on.
        shell.add("readiness", () -> role.set(Optional.empty()));
    }

    private Readiness manager() throws IOException, StartException {
        // Before the folder is made, because without the keys nothing may be written to it.
        KeyRing keyRing = EncryptionKeys.read(config.secrets());
        DataFolder folder = shell.openFolder();
        HostPort listens = config.manager().serviceListens(config.cluster().managers());
        identity = "id " + config.manager().id() + ", service " + listens;
        return ManagerRole.start(
                shell,
                folder,
                config.manager()
                        .member(
                                config.cluster().managers(),
                                folder.resolve("manager"),
                                config.accounts().accounts(),
                                keyRing),
                listens);
    }

    private Readiness server() throws IOException, StartException {
        DataFolder folder = shell.openFolder();
        HostPort advertised = config.server().advertised();
        HandleBudget handles = HandleBudget.of(config, true);
        handles.log();
        KnownManagers known = KnownManagers.in(folder);
        ServerRole server =
                ServerRole.start(
                        shell,
                        folder,
                        config.server()
                                .role(
                                        folder.resolve("server"),
                                        advertised.toString(),
                                        shell.version(),
                                        handles.storeFiles()),
                        config.server().listens(),
                        ManagerChannels.open(shell, seeds(), known.read(), known::write));
        identity = "id " + server.nodeId() + ", service " + advertised;
        return server;
    }

    private Readiness frontEnd() throws IOException, StartException {
        FrontEndRole frontEnd =
                FrontEndRole.start(
                        shell,
                        ManagerChannels.open(shell, seeds()),
                        false,
                        ServingProbe.asAnyone(shell.clock()));
        String scheme = config.frontEnd().http().tls().isPresent() ? "https" : "http";
        identity = "tables " + scheme + "://" + Summary.reachable(frontEnd.address());
        return frontEnd;
    }

    private List<HostPort> seeds() {
        return config.cluster().managers().services();
    }

    private CompletionStage<Optional<String>> missing() {
        return role.get()
                .map(Readiness::missing)
                .orElseGet(
                        () ->
                                CompletableFuture.completedFuture(
                                        Optional.of("it starts, or it stops")));
    }

    /**
     * Reports once that the role serves, in a line for the operator who started it. Waits on a
     * separate thread.
     *
     * @param waiting told until then what is missing, whenever this changes
     */
    public void whenServing(Consumer<String> tell, Consumer<String> waiting) {
        ReadinessWait wait =
                new ReadinessWait(
                        name.command(), this::missing, () -> tell.accept(summary()), waiting);
        shell.add("wait for readiness", wait);
        wait.start();
    }

    private String summary() {
        return "parterre "
                + name.command()
                + " is ready: "
                + identity
                + ", admin http://"
                + Summary.reachable(adminAddress);
    }

    /**
     * Ends in order: refuses new calls, lets running calls end, transfers leadership, closes.
     * Everything acknowledged is on disk.
     */
    @Override
    public void close() {
        shell.close();
    }
}

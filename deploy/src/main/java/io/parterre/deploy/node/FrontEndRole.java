package io.parterre.deploy.node;

import io.parterre.deploy.admin.Readiness;
import io.parterre.deploy.config.FrontEndSection;
import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.tls.ClusterTls;
import io.parterre.endpoint.ManagerEndpoints;
import io.parterre.frontend.FrontEnd;
import io.parterre.frontend.auth.AccountDirectory;
import io.parterre.frontend.auth.AccountsConfig;
import io.parterre.frontend.auth.AccountsTrust;
import io.parterre.frontend.auth.TokenKeys;
import io.parterre.frontend.call.HttpHandler;
import io.parterre.frontend.http.EventLoops;
import io.parterre.frontend.http.ListenException;
import io.parterre.frontend.http.TlsFiles;
import io.parterre.frontend.observe.Tracing;
import io.parterre.frontend.service.TableService;
import io.parterre.frontend.store.TableStore;
import io.parterre.frontend.token.IssuerKeys;
import io.parterre.frontend.token.IssuerKeysConfig;
import io.parterre.tls.CredentialFiles;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import io.parterre.tls.PeerRule;
import io.parterre.tls.WatchedCredentials;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/** A front end in this process. */
final class FrontEndRole implements Readiness {
    private static final Duration SILENCE_TOLERATED = Duration.ofSeconds(5);

    private final FrontEnd frontEnd;
    private final ServingProbe probe;
    private final Duration ageMax;
    private volatile boolean served;

    private FrontEndRole(FrontEnd frontEnd, ServingProbe probe, Duration ageMax) {
        this.frontEnd = frontEnd;
        this.probe = probe;
        this.ageMax = ageMax;
    }

    /**
     * Listens; calls wait until the cluster is known.
     *
     * @param stores whether this process also keeps ranges, and with them the accounts
     * @param probe told how to read
     * @throws StartException if the address is in use or does not belong to this machine
     */
    static FrontEndRole start(
            NodeShell shell, ManagerEndpoints managers, boolean stores, ServingProbe probe)
            throws IOException, StartException {
        FrontEndSection config = shell.config().frontEnd();
        HandleBudget handles = HandleBudget.of(shell.config(), stores);
        handles.log();
        TokenKeys keys = issuerKeys(shell, config);
        Optional<Supplier<SSLContext>> tls = contexts(shell, config);
        shell.setMayAnswer(true);
        try {
            FrontEnd frontEnd =
                    shell.add(
                            "front end",
                            FrontEnd.start(
                                    config.role(
                                            stores
                                                    ? AccountsConfig.WITHOUT_BOUND
                                                    : config.accounts(),
                                            shell.version(),
                                            handles.connections()),
                                    managers,
                                    (nodeId, address) ->
                                            shell.transport()
                                                    .connect(
                                                            HostPort.parse(address),
                                                            PeerName.of(
                                                                    PeerRole.SERVER,
                                                                    nodeId.value()),
                                                            EventLoops.currentLoop()),
                                    (accounts, tables) ->
                                            tableService(shell, accounts, keys, tables, probe),
                                    shell.clock(),
                                    shell.meters(),
                                    tls,
                                    new Tracing(
                                            shell.tracer(),
                                            shell.config().traces().followClients())));
            return new FrontEndRole(frontEnd, probe, config.accounts().ageMax());
        } catch (ListenException e) {
            shell.setMayAnswer(false);
            throw ListenAddress.ofTables(shell.config()).refused(e);
        }
    }

    /** Returns the TLS contexts of clients' connections; empty for plain HTTP. */
    private static Optional<Supplier<SSLContext>> contexts(NodeShell shell, FrontEndSection config)
            throws IOException {
        if (config.http().tls().isEmpty()) {
            return Optional.empty();
        }
        TlsFiles files = config.http().tls().get();
        WatchedCredentials watched =
                shell.add(
                        "certificate of tables",
                        ClusterTls.openForTables(
                                new CredentialFiles(
                                        files.certificateChain(),
                                        files.privateKey(),
                                        Optional.empty()),
                                shell.config().tls(),
                                shell.meters()));
        // Clients present no certificate, and none would be verified.
        return Optional.of(watched.contexts(PeerRule.anyone(), false, refusal -> {}));
    }

    /** Returns the public keys of the issuer of bearer tokens, if tokens are accepted. */
    private static TokenKeys issuerKeys(NodeShell shell, FrontEndSection config)
            throws IOException {
        Optional<IssuerKeysConfig> source = config.table().bearer().keySource();
        return source.isPresent()
                ? shell.add("issuer keys", IssuerKeys.start(source.get(), System::nanoTime))
                : TokenKeys.NONE;
    }

    private static HttpHandler tableService(
            NodeShell shell,
            AccountDirectory accounts,
            TokenKeys keys,
            TableStore tables,
            ServingProbe probe) {
        probe.use(accounts, tables);
        return new TableService(
                accounts,
                keys,
                tables,
                shell.clock(),
                shell.config().frontEnd().table().role(),
                new RequestIds());
    }

    /** Returns the address at which clients are served. */
    InetSocketAddress address() {
        return frontEnd.address();
    }

    /**
     * The first time, a read must be answered. Later, an unanswered read may be due to a range
     * without a leader, where no other front end would do better. So this front end counts as
     * serving as long as any server answers it.
     */
    @Override
    public CompletionStage<Optional<String>> missing() {
        if (!frontEnd.ready().isDone()) {
            return CompletableFuture.completedFuture(Optional.of(ServingProbe.UNKNOWN));
        }
        if (frontEnd.accountsTrust() == AccountsTrust.EXPIRED) {
            return CompletableFuture.completedFuture(
                    Optional.of("calls are refused: " + unvouched()));
        }
        return probe.missing()
                .thenApply(
                        missing -> {
                            boolean answered = missing.isEmpty();
                            served |= answered;
                            boolean heard = frontEnd.silence().compareTo(SILENCE_TOLERATED) < 0;
                            return served && heard ? Optional.empty() : missing;
                        });
    }

    @Override
    public Optional<String> warning() {
        return frontEnd.accountsTrust() == AccountsTrust.AGING
                ? Optional.of(
                        unvouched()
                                + "; after "
                                + ageMax.toSeconds()
                                + " s calls are refused (frontEnd.accounts.ageMax)")
                : Optional.empty();
    }

    private String unvouched() {
        return "no manager has vouched for the accounts for "
                + frontEnd.accountsAge().toSeconds()
                + " s";
    }
}

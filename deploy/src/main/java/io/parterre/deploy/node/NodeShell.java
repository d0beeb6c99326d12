package io.parterre.deploy.node;

import io.grpc.BindableService;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.trace.Tracer;
import io.parterre.deploy.ExitCode;
import io.parterre.deploy.admin.AdminServer;
import io.parterre.deploy.admin.ProcessMeters;
import io.parterre.deploy.admin.Readiness;
import io.parterre.deploy.config.FileErrorText;
import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.config.ParterreConfig;
import io.parterre.deploy.network.DataLossGuard;
import io.parterre.deploy.network.Transport;
import io.parterre.deploy.network.Transports;
import io.parterre.deploy.secret.EncryptionKeysException;
import io.parterre.deploy.tls.ClusterTls;
import io.parterre.deploy.trace.Traces;
import io.parterre.frontend.http.ListenException;
import io.parterre.raftlog.DamagedLogException;
import io.parterre.release.NewerReleaseException;
import io.parterre.tls.CredentialsException;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import io.parterre.tls.TlsEnds;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process around its roles, one or all of them: settings, meters, the port for operators, the
 * data folder, and the started parts, in the order in which they are closed. Used by the thread
 * that starts and the thread that closes.
 */
final class NodeShell implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeShell.class);

    /**
     * Prefix of the message of gRPC, also of the one inside Ratis; the cause differs by transport.
     */
    private static final String BIND_FAILURE = "Failed to bind to address";

    private final ParterreConfig config;
    private final String version;
    private final BiConsumer<String, Throwable> onFailure;
    private final InstantSource clock = InstantSource.system();
    private final Parts parts = new Parts();
    private final ProcessMeters meters;
    private final Traces traces;
    private final List<PeerName> self;
    private final Transports transports;
    private Optional<ClusterTls> tls = Optional.empty();
    private Optional<Transport> transport = Optional.empty();

    /** Whether a client may have been answered; what it was told must persist. */
    private boolean heard;

    private boolean folderKept = true;

    /**
     * Creates a shell without starting anything.
     *
     * @param version version of the software
     * @param self names that the process's certificate must contain, where it has one
     * @param transports creates the transport, which is closed with the rest
     * @param onFailure told what failed and why when the process must end because a role can no
     *     longer keep what it acknowledged. Called from any thread
     */
    NodeShell(
            ParterreConfig config,
            String version,
            List<PeerName> self,
            Transports transports,
            BiConsumer<String, Throwable> onFailure) {
        this.config = config;
        this.version = version;
        this.self = List.copyOf(self);
        this.transports = transports;
        this.meters = parts.add("meters", new ProcessMeters(version));
        this.traces = parts.add("traces", Traces.start(config.traces(), version));
        this.onFailure = onFailure;
    }

    /** Starts a node. */
    @FunctionalInterface
    interface Start<T> {
        T run() throws IOException, StartException;
    }

    /**
     * Starts, or closes what was started before the failure; a data folder made for this start is
     * then removed.
     *
     * @throws StartException if the node cannot start; the operator must repair this
     */
    <T> T started(Start<T> start) throws StartException {
        try {
            tls = ClusterTls.open(config.tls(), self, meters.registry());
            if (tls.isPresent()) {
                parts.add("certificate", tls.get());
            }
            transport = Optional.of(parts.add("transport", transports.open(tls)));
            return start.run();
        } catch (IOException e) {
            giveUp();
            throw new StartException(
                    exitCode(e), "cannot start: " + FileErrorText.reason(config.dataDir(), e), e);
        } catch (StartException | RuntimeException e) {
            giveUp();
            throw e;
        }
    }

    private void giveUp() {
        folderKept = heard;
        close();
    }

    /** Returns the exit code. Raft servers have no exception of their own for an address in use. */
    private static ExitCode exitCode(Throwable failure) {
        if (failure instanceof CredentialsException || failure instanceof EncryptionKeysException) {
            return ExitCode.USAGE;
        }
        if (failure instanceof DamagedLogException || NewerReleaseException.isCauseOf(failure)) {
            return ExitCode.DATA_DIR_REFUSED;
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BindException
                    || String.valueOf(cause.getMessage()).startsWith(BIND_FAILURE)) {
                return ExitCode.ADDRESS_IN_USE;
            }
        }
        return ExitCode.FAILED;
    }

    /** Listens for operators, who may ask from here on. */
    InetSocketAddress startAdmin(Readiness readiness) throws StartException {
        try {
            return parts.add(
                            "admin server",
                            AdminServer.start(config.admin(), meters.registry(), readiness, clock))
                    .address();
        } catch (ListenException e) {
            throw ListenAddress.ofAdmin(config).refused(e);
        }
    }

    /** Takes the data folder until the node is closed. */
    DataFolder openFolder() throws StartException {
        DataFolder folder = DataFolder.open(config.dataDir());
        parts.add("data folder", () -> close(folder));
        return folder;
    }

    private void close(DataFolder folder) throws IOException {
        if (folderKept) {
            folder.close();
        } else {
            folder.giveUp();
        }
    }

    /** Sets whether from now on clients may be answered. */
    void setMayAnswer(boolean value) {
        heard = value;
    }

    /** Adds a part, which is closed before all parts added earlier. */
    <T extends AutoCloseable> T add(String name, T part) {
        return parts.add(name, part);
    }

    ParterreConfig config() {
        return config;
    }

    String version() {
        return version;
    }

    /** Serves other processes; calls with data loss need the operators' token. */
    Transport.Served serve(HostPort listens, List<BindableService> services) throws IOException {
        if (config.operatorToken().isNone()) {
            LOG.warn("operatorToken is not set: calls that lose data are refused");
        }
        return transport().serve(listens, DataLossGuard.before(services, config.operatorToken()));
    }

    /** Returns the transport, which exists from the node's start on. */
    Transport transport() {
        return transport.orElseThrow();
    }

    /** Returns the TLS of Raft's connections, whose members all have this role. */
    Optional<TlsEnds> raftTls(PeerRole role) {
        return tls.map(each -> each.raftOf(role));
    }

    MeterRegistry meters() {
        return meters.registry();
    }

    Tracer tracer() {
        return traces.tracer();
    }

    InstantSource clock() {
        return clock;
    }

    void failed(String what, Throwable cause) {
        onFailure.accept(what, Optional.ofNullable(cause).orElseGet(() -> new IOException(what)));
    }

    @Override
    public void close() {
        parts.close();
    }
}

package io.parterre.deploy.tls;

import io.micrometer.core.instrument.MeterRegistry;
import io.parterre.deploy.config.TlsSection;
import io.parterre.tls.CredentialFiles;
import io.parterre.tls.Credentials;
import io.parterre.tls.CredentialsException;
import io.parterre.tls.PeerName;
import io.parterre.tls.PeerRole;
import io.parterre.tls.PeerRule;
import io.parterre.tls.TlsEnds;
import io.parterre.tls.WatchedCredentials;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate that a process presents to others of its cluster, read again when its files
 * change, and the peers that the process accepts. Thread-safe.
 */
public final class ClusterTls implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterTls.class);

    private final WatchedCredentials credentials;
    private final boolean verifyHost;
    private final PeerRefusals refusals;

    private ClusterTls(WatchedCredentials credentials, boolean verifyHost, PeerRefusals refusals) {
        this.credentials = credentials;
        this.verifyHost = verifyHost;
        this.refusals = refusals;
    }

    /**
     * Reads the files, if any are configured.
     *
     * @param own names that the certificate must give this process, all of them; empty: any
     *     certificate
     * @return empty for plain text
     * @throws CredentialsException if the files cannot be used
     */
    public static Optional<ClusterTls> open(
            TlsSection config, List<PeerName> own, MeterRegistry registry)
            throws CredentialsException {
        Optional<CredentialFiles> files = config.files();
        if (files.isEmpty()) {
            return Optional.empty();
        }
        TlsMeters meters = new TlsMeters(registry);
        WatchedCredentials watched =
                WatchedCredentials.open(
                        files.get(), all(own), config.refreshInterval(), new Told("cluster"));
        meters.watch("cluster", watched);
        return Optional.of(
                new ClusterTls(
                        watched, config.verifyHost(), new PeerRefusals(meters, System::nanoTime)));
    }

    /**
     * Reads the certificate of the tables' HTTPS.
     *
     * @throws CredentialsException if the files cannot be used
     */
    public static WatchedCredentials openForTables(
            CredentialFiles files, TlsSection config, MeterRegistry registry)
            throws CredentialsException {
        WatchedCredentials watched =
                WatchedCredentials.open(
                        files, PeerRule.anyone(), config.refreshInterval(), new Told("tables"));
        new TlsMeters(registry).watch("tables", watched);
        return watched;
    }

    /**
     * Checks whether the files can be used, and changes nothing.
     *
     * @throws CredentialsException if they cannot
     */
    public static void check(TlsSection config, List<PeerName> own) throws CredentialsException {
        if (config.files().isPresent()) {
            WatchedCredentials.check(config.files().get(), all(own));
        }
    }

    /**
     * Checks whether the files of the tables' HTTPS can be used.
     *
     * @throws CredentialsException if they cannot
     */
    public static void checkForTables(CredentialFiles files) throws CredentialsException {
        WatchedCredentials.check(files, PeerRule.anyone());
    }

    private static PeerRule all(List<PeerName> own) {
        return peer ->
                own.stream()
                        .flatMap(name -> PeerRule.only(name).refusal(peer).stream())
                        .findFirst();
    }

    /**
     * Returns contexts for services, to which every holder of a certificate of the cluster may
     * connect.
     */
    public Supplier<SSLContext> serving() {
        return credentials.contexts(PeerRule.anyone(), verifyHost, this::refused);
    }

    /** Returns contexts for connections to a peer, which must have this name. */
    public Supplier<SSLContext> connectingTo(PeerName peer) {
        return credentials.contexts(PeerRule.only(peer), verifyHost, this::refused);
    }

    /** Returns both ends of Raft's connections, where all members have one role. */
    public TlsEnds raftOf(PeerRole role) {
        PeerRule members = PeerRule.only(PeerName.any(role));
        Supplier<SSLContext> contexts = credentials.contexts(members, verifyHost, this::refused);
        return new TlsEnds(contexts, contexts, role, refusals::id);
    }

    private void refused(String reason) {
        refusals.certificate(reason);
    }

    /** Returns the counters of calls that are refused because of the peer's identity. */
    public PeerRefusals refusals() {
        return refusals;
    }

    @Override
    public void close() {
        credentials.close();
    }

    /** Logs changes of the files for operators. */
    private record Told(String kind) implements WatchedCredentials.Listener {
        @Override
        public void taken(Credentials credentials) {
            LOG.info("certificate in use kind={} is={}", kind, credentials);
        }

        @Override
        public void kept(String reason) {
            LOG.warn(
                    "certificate files refused, earlier ones stay in use kind={} reason={}",
                    kind,
                    reason);
        }
    }
}

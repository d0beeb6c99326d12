package io.parterre.tls;

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * A process's certificate with its key, and the issuers that it trusts, read at one moment. Never
 * prints the key. Immutable.
 */
public final class Credentials {
    /** Needs no password, because the store never leaves memory. */
    private static final char[] NO_PASSWORD = {};

    private final List<X509Certificate> chain;
    private final PrivateKey key;
    private final KeyManager[] keys;
    private final X509ExtendedTrustManager issuers;

    /**
     * Makes credentials of a certificate and its own key.
     *
     * @param chain the process's certificate first
     * @param trusted issuers of the peers' certificates; empty: peers have no certificates
     */
    Credentials(List<X509Certificate> chain, PrivateKey key, List<X509Certificate> trusted)
            throws GeneralSecurityException {
        this.chain = List.copyOf(chain);
        this.key = key;
        this.keys = keys(chain, key);
        this.issuers = PeerTrust.issuers(trusted);
    }

    private static KeyManager[] keys(List<X509Certificate> chain, PrivateKey key)
            throws GeneralSecurityException {
        KeyStore store = EmptyKeyStore.make();
        store.setKeyEntry("own", key, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
        KeyManagerFactory factory =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    /**
     * Reads the current files.
     *
     * @throws CredentialsException if they cannot be used
     */
    public static Credentials read(CredentialFiles files) throws CredentialsException {
        return CredentialReader.read(files).credentials();
    }

    /** The process's own certificate, and the certificates between it and its issuer. */
    public List<X509Certificate> chain() {
        return chain;
    }

    /** The private key, for signatures; must never be printed. */
    public PrivateKey key() {
        return key;
    }

    /** The identity of this process. */
    public PeerIdentity identity() {
        return PeerIdentity.of(chain.get(0));
    }

    /** The time from which on peers no longer accept the chain. */
    public Instant expiry() {
        return chain.stream()
                .map(certificate -> certificate.getNotAfter().toInstant())
                .min(Instant::compareTo)
                .orElseThrow();
    }

    /**
     * Makes a context of these credentials. No session of another context is resumed in it, because
     * such a session would admit a peer that is no longer trusted.
     *
     * @param onRefusal receives the reason why a peer was refused
     */
    SSLContext context(PeerRule rule, boolean verifyHost, Consumer<String> onRefusal)
            throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        TrustManager trust = new PeerTrust(issuers, rule, verifyHost, onRefusal);
        context.init(keys, new TrustManager[] {trust}, null);
        return context;
    }

    /** Leaves the key out. */
    @Override
    public String toString() {
        return identity() + " until " + expiry();
    }
}

package io.parterre.tls;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Verifies a peer's certificate: it is issued by a trusted issuer, valid now, for the connected
 * host if it names any, and admitted by the rule. Safe for any thread.
 */
final class PeerTrust extends X509ExtendedTrustManager {
    private static final String HOST_OF_URL = "HTTPS";

    private final X509ExtendedTrustManager issuers;
    private final PeerRule rule;
    private final boolean verifyHost;
    private final Consumer<String> onRefusal;

    /**
     * Trusts certificates of these issuers.
     *
     * @param issuers verifies the issuer of a certificate, and its validity
     * @param verifyHost whether a server's certificate that names hosts has to name the connected
     *     host
     * @param onRefusal receives the reason why a peer was refused, on threads of the network
     */
    PeerTrust(
            X509ExtendedTrustManager issuers,
            PeerRule rule,
            boolean verifyHost,
            Consumer<String> onRefusal) {
        this.issuers = issuers;
        this.rule = rule;
        this.verifyHost = verifyHost;
        this.onRefusal = onRefusal;
    }

    /** Returns a manager that verifies that one of these certificates has issued a peer's. */
    static X509ExtendedTrustManager issuers(List<X509Certificate> trusted)
            throws GeneralSecurityException {
        KeyStore store = EmptyKeyStore.make();
        for (int i = 0; i < trusted.size(); i++) {
            store.setCertificateEntry(Integer.toString(i), trusted.get(i));
        }
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return Arrays.stream(factory.getTrustManagers())
                .filter(X509ExtendedTrustManager.class::isInstance)
                .map(X509ExtendedTrustManager.class::cast)
                .findFirst()
                .orElseThrow(() -> new GeneralSecurityException("no manager of trust for X.509"));
    }

    @FunctionalInterface
    private interface Check {
        void run() throws CertificateException;
    }

    private void check(X509Certificate[] chain, Check issuer) throws CertificateException {
        try {
            issuer.run();
            Optional<String> refusal = rule.refusal(PeerIdentity.of(chain[0]));
            if (refusal.isPresent()) {
                throw new CertificateException(refusal.get());
            }
        } catch (CertificateException refused) {
            onRefusal.accept(refused.getMessage());
            throw refused;
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        check(chain, () -> issuers.checkClientTrusted(chain, authType, engine));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        // gRPC always requests this check, but a certificate that names only roles has no host to
        // verify.
        SSLParameters parameters = engine.getSSLParameters();
        boolean host = verifyHost && PeerIdentity.namesHosts(chain[0]);
        parameters.setEndpointIdentificationAlgorithm(host ? HOST_OF_URL : "");
        engine.setSSLParameters(parameters);
        check(chain, () -> issuers.checkServerTrusted(chain, authType, engine));
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return issuers.getAcceptedIssuers();
    }

    /** Without an engine the connected host is not known. */
    private static CertificateException noEngine() {
        return new CertificateException("a connection without an engine is not verified");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw noEngine();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw noEngine();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType)
            throws CertificateException {
        throw noEngine();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType)
            throws CertificateException {
        throw noEngine();
    }
}

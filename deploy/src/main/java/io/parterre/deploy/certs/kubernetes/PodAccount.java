package io.parterre.deploy.certs.kubernetes;

import io.parterre.deploy.certs.Pem;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Address of Kubernetes' API, and a pod's credential for it: the files of its service account. The
 * token is replaced while the pod runs, so it is read for each call.
 *
 * @param folder folder with {@code token}, {@code ca.crt} and {@code namespace}
 */
public record PodAccount(URI api, Path folder) {
    /** Folder in which Kubernetes provides the files. */
    public static final Path FOLDER = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    /**
     * Returns the API of the cluster that this pod is in.
     *
     * @param environment contains the address, in every pod
     * @throws SecretsException if it does not
     */
    public static URI api(Map<String, String> environment) {
        Optional<String> host =
                Optional.ofNullable(environment.get("KUBERNETES_SERVICE_HOST"))
                        .filter(each -> !each.isBlank());
        if (host.isEmpty()) {
            throw new SecretsException(
                    "no KUBERNETES_SERVICE_HOST in the environment (expected: to run in a pod, or"
                            + " --api-server)");
        }
        String name = host.get().contains(":") ? "[" + host.get() + "]" : host.get();
        return URI.create(
                "https://"
                        + name
                        + ":"
                        + environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443"));
    }

    String token() {
        return text("token");
    }

    /** Returns the pod's own namespace. */
    public String namespace() {
        return text("namespace");
    }

    private String text(String file) {
        try {
            return Files.readString(folder.resolve(file)).strip();
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private SecretsException unreadable(String file, Exception why) {
        return new SecretsException(
                why instanceof NoSuchFileException
                        ? folder.resolve(file)
                                + ": no such file (expected: a pod with a service account's token)"
                        : folder.resolve(file) + ": cannot be read: " + why.getMessage(),
                why);
    }

    /** Returns a context that trusts only the cluster's own issuers. */
    SSLContext tls() {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (X509Certificate each :
                    Pem.certificates(Files.readAllBytes(folder.resolve("ca.crt")))) {
                store.setCertificateEntry(each.getSerialNumber().toString(), each);
            }
            TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw unreadable("ca.crt", e);
        }
    }
}

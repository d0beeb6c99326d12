package io.parterre.deploy.certs.kubernetes;

import io.parterre.deploy.certs.plan.CertificatePolicy;
import io.parterre.deploy.certs.plan.WantedCertificate;
import java.util.List;
import java.util.Map;

/**
 * The certificates that a cluster must have.
 *
 * @param issuerSecret Secret of the issuers, whose keys no process of the cluster may read
 * @param wanted the certificates
 * @param labels labels of the Secrets
 */
public record CertificateOrder(
        String issuerSecret,
        List<WantedCertificate> wanted,
        Map<String, String> labels,
        CertificatePolicy policy) {
    public CertificateOrder {
        wanted = List.copyOf(wanted);
        labels = Map.copyOf(labels);
    }
}

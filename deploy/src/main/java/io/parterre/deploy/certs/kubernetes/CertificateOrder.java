package io.parterre.deploy.certs.kubernetes;

import io.parterre.deploy.certs.plan.CertificatePolicy;
import io.parterre.deploy.certs.plan.WantedCertificate;
import java.util.List;
import java.util.Map;

/**
 * What a cluster is to have.
 *
 * @param issuerSecret where the issuers are, whose keys no process of the cluster may read
 * @param wanted certificates
 * @param labels of Secrets
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

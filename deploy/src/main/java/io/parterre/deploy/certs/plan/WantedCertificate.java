package io.parterre.deploy.certs.plan;

import io.parterre.tls.PeerName;
import java.util.Set;

/**
 * A certificate that there has to be.
 *
 * @param secret where it is kept
 * @param name what its holder may be
 * @param hosts names that its holder is reached by; none: it is verified by role alone
 */
public record WantedCertificate(String secret, PeerName name, Set<String> hosts) {
    public WantedCertificate {
        hosts = Set.copyOf(hosts);
    }
}

package io.parterre.deploy.certs.plan;

import io.parterre.tls.PeerName;
import java.util.Set;

/**
 * A certificate that must exist.
 *
 * @param secret Secret that holds it
 * @param name role that the holder may have
 * @param hosts names at which the holder is reached; if empty, only the role is verified
 */
public record WantedCertificate(String secret, PeerName name, Set<String> hosts) {
    public WantedCertificate {
        hosts = Set.copyOf(hosts);
    }
}

package io.parterre.deploy.network;

import io.parterre.deploy.tls.ClusterTls;
import java.util.Optional;

/** Makes a process's transport. */
@FunctionalInterface
public interface Transports {
    /**
     * A transport, closed by the caller.
     *
     * @param tls stays the caller's, and is open for as long as the transport; empty: plain text
     */
    Transport open(Optional<ClusterTls> tls);
}

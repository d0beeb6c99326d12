package io.parterre.deploy.network;

import io.parterre.deploy.tls.ClusterTls;
import java.util.Optional;

/** Creates a process's transport. */
@FunctionalInterface
public interface Transports {
    /**
     * Opens a transport, closed by the caller.
     *
     * @param tls closed by the caller, after the transport; empty for plain text
     */
    Transport open(Optional<ClusterTls> tls);
}

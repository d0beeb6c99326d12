package io.parterre.deploy.network;

import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.netty.channel.IoEventLoop;
import io.parterre.deploy.config.HostPort;
import io.parterre.tls.PeerName;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** How the roles of a cluster reach each other. Safe for any thread. */
public interface Transport extends AutoCloseable {
    /**
     * Serves until closed.
     *
     * @param address to listen on
     * @throws IOException if it cannot be listened on
     */
    Served serve(HostPort address, List<BindableService> services) throws IOException;

    /**
     * A new channel; connects when it is used first, and again when the other end was away. Closed
     * by the caller.
     *
     * @param peer who has to be there, where processes have certificates
     */
    default ManagedChannel connect(HostPort address, PeerName peer) {
        return connect(address, peer, Optional.empty());
    }

    /**
     * The same, with its connection on an event loop: all that comes in is handled there.
     *
     * @param loop runs until the channel has ended; empty: one that channels share
     */
    ManagedChannel connect(HostPort address, PeerName peer, Optional<IoEventLoop> loop);

    /** Ends what the transport itself runs; what was served or connected is closed before. */
    @Override
    void close();

    /** Services being served. */
    interface Served extends AutoCloseable {
        /** Takes no more calls, gives those under way a moment, then ends them. */
        @Override
        void close();
    }
}

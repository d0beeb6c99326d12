package io.parterre.deploy.network;

import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.netty.channel.IoEventLoop;
import io.parterre.deploy.config.HostPort;
import io.parterre.tls.PeerName;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** How the roles of a cluster connect to each other. Thread-safe. */
public interface Transport extends AutoCloseable {
    /**
     * Serves until closed.
     *
     * @param address address to listen on
     * @throws IOException if the address cannot be used
     */
    Served serve(HostPort address, List<BindableService> services) throws IOException;

    /**
     * Returns a new channel, which connects on first use, and again after the other end was
     * unreachable. Closed by the caller.
     *
     * @param peer required identity of the other end, where processes have certificates
     */
    default ManagedChannel connect(HostPort address, PeerName peer) {
        return connect(address, peer, Optional.empty());
    }

    /**
     * Returns a new channel with its connection on an event loop, which handles everything
     * received.
     *
     * @param loop runs until the channel has ended; empty: a loop that channels share
     */
    ManagedChannel connect(HostPort address, PeerName peer, Optional<IoEventLoop> loop);

    /** Ends what the transport itself runs; servers and channels must be closed before. */
    @Override
    void close();

    /** Services being served. */
    interface Served extends AutoCloseable {
        /** Accepts no more calls, gives those in flight a moment, then ends them. */
        @Override
        void close();
    }
}

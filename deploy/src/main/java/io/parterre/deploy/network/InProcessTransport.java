package io.parterre.deploy.network;

import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.netty.channel.IoEventLoop;
import io.parterre.deploy.config.HostPort;
import io.parterre.tls.PeerName;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * gRPC within the process: addresses are only names. Both ends run on the calling threads, because
 * our services and clients never block.
 */
public final class InProcessTransport implements Transport {
    /** Unique prefix, because several nodes may run in one process, as in tests. */
    private final String prefix = UUID.randomUUID() + "/";

    @Override
    public Served serve(HostPort address, List<BindableService> services) throws IOException {
        InProcessServerBuilder builder =
                InProcessServerBuilder.forName(prefix + address).directExecutor();
        services.forEach(builder::addService);
        return new ServedByGrpc(builder.build().start());
    }

    @Override
    public ManagedChannel connect(HostPort address, PeerName peer, Optional<IoEventLoop> loop) {
        return InProcessChannelBuilder.forName(prefix + address).directExecutor().build();
    }

    @Override
    public void close() {
        // The transport runs nothing of its own.
    }
}

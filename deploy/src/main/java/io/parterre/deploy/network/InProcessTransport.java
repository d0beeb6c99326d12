package io.parterre.deploy.embedded;

import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * One service on gRPC within the process. Both ends run on the threads that call: our services and
 * our clients never block.
 */
final class InProcess implements AutoCloseable {
    private final String name;
    private final Server server;

    private InProcess(String name, Server server) {
        this.name = name;
        this.server = server;
    }

    static InProcess serve(BindableService service) throws IOException {
        // Several nodes may run in one process, as tests do.
        String name = UUID.randomUUID().toString();
        Server server =
                InProcessServerBuilder.forName(name)
                        .directExecutor()
                        .addService(service)
                        .build()
                        .start();
        return new InProcess(name, server);
    }

    /** A new channel to the service; closed by the caller. */
    ManagedChannel connect() {
        return InProcessChannelBuilder.forName(name).directExecutor().build();
    }

    @Override
    public void close() {
        server.shutdownNow();
        try {
            server.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

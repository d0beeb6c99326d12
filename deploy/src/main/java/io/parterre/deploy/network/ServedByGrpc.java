package io.parterre.deploy.network;

import io.grpc.Server;
import java.util.concurrent.TimeUnit;

/** A gRPC server, whatever it listens on. */
record ServedByGrpc(Server server) implements Transport.Served {
    /** Long-lived streams never end by themselves; other calls take milliseconds. */
    private static final long DRAIN_MILLIS = 250;

    private static final long END_MILLIS = 1_000;

    @Override
    public void close() {
        server.shutdown();
        try {
            if (!server.awaitTermination(DRAIN_MILLIS, TimeUnit.MILLISECONDS)) {
                server.shutdownNow();
                server.awaitTermination(END_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}

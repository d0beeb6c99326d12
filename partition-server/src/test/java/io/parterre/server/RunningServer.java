package io.parterre.server;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.store.StoreFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A partition server with a manager and a transport around it, all in this process. */
final class RunningServer implements AutoCloseable {
    static final String NODE = "node-1";
    static final RangeDescriptor WHOLE =
            new RangeDescriptor(
                    new RangeId(1), KeyRange.ALL, Generation.FIRST, List.of(new NodeId(NODE)));

    final FakeManager manager;
    final PartitionServer server;
    final BlockingQueue<StoreFailure> failures = new LinkedBlockingQueue<>();
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Server managerTransport;
    private final ManagedChannel managerChannel;
    private final Server transport;
    private final ManagedChannel channel;
    private final RangeClient client;

    private RunningServer(PartitionServerConfig config, FakeManager manager, InstantSource clock)
            throws IOException {
        this.manager = manager;
        String managerName = "manager-" + UUID.randomUUID();
        managerTransport =
                InProcessServerBuilder.forName(managerName).addService(manager).build().start();
        managerChannel = InProcessChannelBuilder.forName(managerName).build();
        try {
            server = PartitionServer.start(config, managerChannel, clock, meters, failures::add);
        } catch (IOException | RuntimeException failure) {
            managerChannel.shutdownNow();
            managerTransport.shutdownNow();
            throw failure;
        }
        String name = "range-" + UUID.randomUUID();
        transport =
                InProcessServerBuilder.forName(name)
                        .addService(server.rangeService())
                        .build()
                        .start();
        channel = InProcessChannelBuilder.forName(name).build();
        client = new RangeClient(channel);
    }

    static RunningServer start(Path folder) throws IOException {
        return start(config(folder));
    }

    static RunningServer start(PartitionServerConfig config) throws IOException {
        return start(config, new FakeManager("cluster-1", List.of(WHOLE)));
    }

    static RunningServer start(PartitionServerConfig config, FakeManager manager)
            throws IOException {
        return start(config, manager, InstantSource.system());
    }

    static RunningServer start(
            PartitionServerConfig config, FakeManager manager, InstantSource clock)
            throws IOException {
        return new RunningServer(config, manager, clock);
    }

    static PartitionServerConfig config(Path folder) {
        return PartitionServerConfig.of(folder, "in-process:1").withNodeId(NODE);
    }

    RangeClient client() {
        return client;
    }

    RangeClient newClient() {
        return new RangeClient(channel);
    }

    /** What kill -9 leaves: nothing in memory is written. */
    void kill() {
        stop(server::kill);
    }

    @Override
    public void close() {
        stop(server::close);
    }

    private void stop(Runnable stopping) {
        stopping.run();
        channel.shutdownNow();
        transport.shutdownNow();
        managerChannel.shutdownNow();
        managerTransport.shutdownNow();
    }
}

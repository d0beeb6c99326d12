package io.parterre.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.parterre.crash.CrashHook;
import io.parterre.disk.DiskSpace;
import io.parterre.endpoint.ManagerEndpoint;
import io.parterre.endpoint.ManagerEndpoints;
import io.parterre.key.KeyRange;
import io.parterre.proto.manager.ManagerServiceGrpc;
import io.parterre.proto.node.FlushRequest;
import io.parterre.proto.node.NodeServiceGrpc;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.store.StoreFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A partition server with a manager and a transport around it, all in this process. */
final class RunningServer implements AutoCloseable {
    static final String NODE = "node-1";
    static final RangeDescriptor WHOLE =
            new RangeDescriptor(
                    new RangeId(1), KeyRange.ALL, Generation.FIRST, List.of(new NodeId(NODE)));

    /** What comes of a full disk depends on the test, not on the machine that runs it. */
    static final SpaceSource ROOMY = () -> new DiskSpace(1L << 40, 1L << 40);

    /** It would be written again for each node of each test. */
    static final DiskSpaceConfig NO_RESERVE = new DiskSpaceConfig(85, 95, 0);

    final PartitionServer server;
    final BlockingQueue<StoreFailure> failures = new LinkedBlockingQueue<>();
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final List<Server> managerTransports = new ArrayList<>();
    private final List<ManagedChannel> managerChannels = new ArrayList<>();
    private final Server transport;
    private final ManagedChannel channel;
    private volatile RangeClient client;

    private RunningServer(
            TestConfig config,
            List<? extends ManagerServiceGrpc.ManagerServiceImplBase> managers,
            InstantSource clock,
            CrashHook<CrashPoint> crash,
            SpaceSource space)
            throws IOException {
        List<ManagerEndpoint> endpoints = new ArrayList<>();
        for (int i = 0; i < managers.size(); i++) {
            String managerName = "manager-" + UUID.randomUUID();
            Server transport =
                    InProcessServerBuilder.forName(managerName)
                            .addService(managers.get(i))
                            .build()
                            .start();
            ManagedChannel channel = InProcessChannelBuilder.forName(managerName).build();
            managerTransports.add(transport);
            managerChannels.add(channel);
            endpoints.add(new ManagerEndpoint("manager-" + (i + 1), channel));
        }
        try {
            server =
                    PartitionServer.start(
                            config.build(),
                            new ManagerEndpoints(endpoints),
                            RunningServer::channelTo,
                            clock,
                            meters,
                            tracer(),
                            level -> {},
                            failures::add,
                            crash,
                            space);
        } catch (IOException | RuntimeException failure) {
            stopManagers();
            throw failure;
        }
        String name = config.build().serviceAddress();
        transport =
                InProcessServerBuilder.forName(name)
                        .addService(server.rangeService())
                        .addService(server.nodeService())
                        .build()
                        .start();
        channel = InProcessChannelBuilder.forName(name).build();
        client = new RangeClient(channel);
    }

    /** Makes the spans of traces that are recorded. */
    private Tracer tracer() {
        return SdkTracerProvider.builder()
                .addSpanProcessor(SimpleSpanProcessor.create(spans))
                .build()
                .get("test");
    }

    /** What it reports as the end of its store or of a group, which has to come. */
    StoreFailure failure() {
        return TestCluster.await().until(failures::poll, Objects::nonNull);
    }

    static RunningServer start(Path folder) throws IOException {
        return start(config(folder));
    }

    static RunningServer start(TestConfig config) throws IOException {
        return start(config, new FakeManager("cluster-1", List.of(WHOLE)));
    }

    static RunningServer start(TestConfig config, FakeManager manager) throws IOException {
        return start(config, List.of(manager));
    }

    /** With several managers, named manager-1 and so on. */
    static RunningServer start(TestConfig config, List<FakeManager> managers) throws IOException {
        return start(config, managers, CrashHook.none());
    }

    /** With a look at the moments it passes. */
    static RunningServer start(
            TestConfig config,
            List<? extends ManagerServiceGrpc.ManagerServiceImplBase> managers,
            CrashHook<CrashPoint> crash)
            throws IOException {
        return new RunningServer(config, managers, InstantSource.system(), crash, ROOMY);
    }

    /** With a clock of its own, and a look at the moments it passes. */
    static RunningServer start(
            TestConfig config,
            List<? extends ManagerServiceGrpc.ManagerServiceImplBase> managers,
            InstantSource clock,
            CrashHook<CrashPoint> crash)
            throws IOException {
        return new RunningServer(config, managers, clock, crash, ROOMY);
    }

    /** On a disk as full as the test says. */
    static RunningServer start(
            TestConfig config,
            List<? extends ManagerServiceGrpc.ManagerServiceImplBase> managers,
            InstantSource clock,
            CrashHook<CrashPoint> crash,
            SpaceSource space)
            throws IOException {
        return new RunningServer(config, managers, clock, crash, space);
    }

    /** With a clock of its own. */
    static RunningServer start(TestConfig config, FakeManager manager, InstantSource clock)
            throws IOException {
        return new RunningServer(config, List.of(manager), clock, CrashHook.none(), ROOMY);
    }

    private static ManagedChannel channelTo(NodeId nodeId, String serviceAddress) {
        return InProcessChannelBuilder.forName(serviceAddress).build();
    }

    /** Makes durable what the node has applied. */
    void flush() {
        assertThat(
                        NodeServiceGrpc.newBlockingStub(channel)
                                .flush(FlushRequest.getDefaultInstance())
                                .getReplicas())
                .isPositive();
    }

    ManagedChannel channel() {
        return channel;
    }

    static TestConfig config(Path folder) {
        return new TestConfig(folder, "in-process:" + UUID.randomUUID())
                .withDiskSpace(NO_RESERVE)
                .withNodeId(NODE);
    }

    RangeClient client() {
        return client;
    }

    /** After a call that broke: the stream of all calls broke with it. */
    void connectAgain() {
        client = newClient();
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
        stopManagers();
    }

    private void stopManagers() {
        managerChannels.forEach(ManagedChannel::shutdownNow);
        managerTransports.forEach(Server::shutdownNow);
    }
}

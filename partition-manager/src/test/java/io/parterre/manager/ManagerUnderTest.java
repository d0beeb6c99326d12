package io.parterre.manager;

import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parterre.manager.lead.LeaderClock;
import io.parterre.proto.admin.AdminServiceGrpc;
import io.parterre.proto.manager.ConfirmMapRequest;
import io.parterre.proto.manager.HeartbeatRequest;
import io.parterre.proto.manager.HeartbeatResponse;
import io.parterre.proto.manager.LeaseObjectIdsRequest;
import io.parterre.proto.manager.LeaseObjectIdsResponse;
import io.parterre.proto.manager.ManagerServiceGrpc;
import io.parterre.proto.manager.Node;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.proto.manager.WatchRequest;
import io.parterre.release.Release;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** A real manager on a real folder, called over an in-process transport. */
final class ManagerUnderTest implements AutoCloseable {
    /** After which a manager without a leader stands for election at the latest. */
    static final Duration ELECTION_TIMEOUT_MAX =
            TestConfig.TIMINGS.electionTimeoutMin().multipliedBy(2);

    private static final Executor THREADS = task -> new Thread(task, "close").start();

    final PartitionManager manager;
    final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    final ManagedChannel channel;
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Server server;

    private ManagerUnderTest(PartitionManagerConfig config, LeaderClock clock, Release release)
            throws IOException {
        // Those of one test have their folders side by side.
        String network = config.dataDirectory().toAbsolutePath().getParent() + "/";
        manager =
                PartitionManager.start(
                        config,
                        address ->
                                InProcessChannelBuilder.forName(network + address)
                                        .directExecutor()
                                        .build(),
                        clock,
                        meters,
                        release,
                        level -> {},
                        failure::complete);
        String name =
                config.members().size() == 1
                        ? UUID.randomUUID().toString()
                        : network + config.self().serviceAddress();
        server =
                InProcessServerBuilder.forName(name)
                        .directExecutor()
                        .addServices(
                                manager.services().stream()
                                        .map(BindableService::bindService)
                                        .toList())
                        .build()
                        .start();
        channel = InProcessChannelBuilder.forName(name).directExecutor().build();
    }

    static ManagerUnderTest start(PartitionManagerConfig config) throws IOException {
        return new ManagerUnderTest(
                config,
                new LeaderClock(InstantSource.system(), System::nanoTime),
                Release.running("test"));
    }

    /** With a clock that the test sets. */
    static ManagerUnderTest startLeading(PartitionManagerConfig config, LeaderClock clock)
            throws Exception {
        ManagerUnderTest started = new ManagerUnderTest(config, clock, Release.running("test"));
        started.manager.ready().get(30, TimeUnit.SECONDS);
        return started;
    }

    /** Of another release, by its own word. */
    static ManagerUnderTest startLeading(PartitionManagerConfig config, Release release)
            throws Exception {
        ManagerUnderTest started =
                new ManagerUnderTest(
                        config, new LeaderClock(InstantSource.system(), System::nanoTime), release);
        started.manager.ready().get(30, TimeUnit.SECONDS);
        return started;
    }

    static ManagerUnderTest startLeading(PartitionManagerConfig config) throws Exception {
        ManagerUnderTest started = start(config);
        started.manager.ready().get(30, TimeUnit.SECONDS);
        return started;
    }

    HeartbeatResponse heartbeat(HeartbeatRequest request) {
        return stub().heartbeat(request);
    }

    long confirm(ConfirmMapRequest request) {
        return stub().confirmMap(request).getVersion();
    }

    LeaseObjectIdsResponse lease(int count) {
        return stub().leaseObjectIds(LeaseObjectIdsRequest.newBuilder().setCount(count).build());
    }

    private ManagerServiceGrpc.ManagerServiceBlockingStub stub() {
        return ManagerServiceGrpc.newBlockingStub(channel).withDeadlineAfter(30, TimeUnit.SECONDS);
    }

    AdminServiceGrpc.AdminServiceBlockingStub admin() {
        return AdminServiceGrpc.newBlockingStub(channel).withDeadlineAfter(30, TimeUnit.SECONDS);
    }

    WatchedMap watch() {
        WatchedMap watched = new WatchedMap();
        watch(WatchRequest.newBuilder().setWatcher("test").build(), watched);
        return watched;
    }

    void watch(WatchRequest request, WatchedMap watched) {
        ManagerServiceGrpc.newStub(channel).watch(request, watched);
    }

    static HeartbeatRequest report(String nodeId, String clusterId, ReplicaReport... replicas) {
        return HeartbeatRequest.newBuilder()
                .setNode(
                        Node.newBuilder()
                                .setNodeId(nodeId)
                                .setServiceAddress(nodeId + ":1")
                                .setRaftAddress(nodeId + ":2"))
                .setClusterId(clusterId)
                .addAllReplicas(List.of(replicas))
                .build();
    }

    /** Side by side: each waits for its connections to the others to end. */
    static void closeAll(Collection<ManagerUnderTest> managers) {
        CompletableFuture.allOf(
                        managers.stream()
                                .map(each -> CompletableFuture.runAsync(each::close, THREADS))
                                .toArray(CompletableFuture[]::new))
                .join();
    }

    @Override
    public void close() {
        channel.shutdownNow();
        server.shutdownNow();
        manager.close();
    }
}

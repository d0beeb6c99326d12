package io.parterre.server;

import static io.parterre.server.Commands.insert;
import static io.parterre.server.Commands.key;
import static io.parterre.server.RangeClient.command;
import static io.parterre.server.RangeClient.read;
import static io.parterre.server.RangeClient.scan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.parterre.entity.EdmValue;
import io.parterre.entity.EntityView;
import io.parterre.filter.Filter;
import io.parterre.filter.FilterCodec;
import io.parterre.filter.Operator;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.proto.range.EntityOperation;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import io.parterre.proto.range.RangeServiceGrpc;
import io.parterre.proto.range.RequestBundle;
import io.parterre.proto.range.ResponseBundle;
import io.parterre.server.rpc.RangeCapsConfig;
import io.parterre.server.rpc.RpcConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whom a node refuses that has too much to do, and what goes on meanwhile. */
final class AdmissionIT {
    private static final int PARTITION_OPERATIONS_MAX = 40;
    private static final Scope OTHER = Scope.ofTable(new AccountId(99), new ObjectId(11));

    private static final byte[] NEVER =
            FilterCodec.encode(
                    new Filter.Comparison(
                            "Text", Operator.EQ, new EdmValue.StringValue("no such")));

    @TempDir Path folder;

    private static RpcConfig rpc(int readThreads, RangeCapsConfig caps) {
        RpcConfig common = RpcConfig.DEFAULT;
        return new RpcConfig(
                readThreads,
                readThreads,
                100_000,
                100_000,
                common.bytesInFlightMax(),
                common.scanBytesMax(),
                common.scanTimeMax(),
                common.retryAfter(),
                caps);
    }

    private static RangeCapsConfig caps(int max, int partitionOperations) {
        return new RangeCapsConfig(
                max, max, max, 64L << 20, Duration.ofMinutes(1), 25, partitionOperations);
    }

    private static double count(RunningServer server, String name, String... tags) {
        return server.meters.get(name).tags(tags).counter().count();
    }

    @Test
    void onlyHotPartitionIsThrottled_whenItReachesItsOperationLimit() throws Exception {
        FakeManager manager = new FakeManager("cluster-1", List.of(RunningServer.WHOLE));
        try (RunningServer server =
                RunningServer.start(
                        RunningServer.config(folder)
                                .withRpc(rpc(2, caps(1_000, PARTITION_OPERATIONS_MAX)))
                                .withHeartbeatInterval(Duration.ofMillis(50)),
                        manager)) {
            server.client().callWhenReady(command(insert(1, "hot", "r", "x")));
            List<CompletableFuture<RangeResponse>> hot = new ArrayList<>();
            for (int i = 0; i < 10 * PARTITION_OPERATIONS_MAX; i++) {
                hot.add(server.client().send(read(key("hot", "r"))));
            }
            int refused = 0;
            for (CompletableFuture<RangeResponse> each : hot) {
                RangeResponse response = each.get(60, TimeUnit.SECONDS);
                if (response.hasBusy()) {
                    refused++;
                    assertThat(response.getBusy().getReason()).isEqualTo("hot partition");
                    assertThat(response.getBusy().getRetryAfterMillis()).isEqualTo(50);
                } else {
                    assertThat(response.getRow().hasValue()).isTrue();
                }
            }
            assertThat(refused).isBetween(1, 9 * PARTITION_OPERATIONS_MAX);

            for (int i = 0; i < 20; i++) {
                assertThat(
                                server.client()
                                        .callWhenReady(command(insert(10 + i, "p" + i, "r", "x"))))
                        .matches(RangeResponse::hasOutcome);
                assertThat(
                                server.client()
                                        .callWhenReady(read(key("p" + i, "r")))
                                        .getRow()
                                        .hasValue())
                        .isTrue();
            }
            assertThat(count(server, "partition_server_refusals_total", "reason", "hot_partition"))
                    .isGreaterThanOrEqualTo(refused);
            await("what the planner of splits goes by")
                    .until(
                            () ->
                                    manager.reports().stream()
                                            .flatMap(report -> report.getReplicasList().stream())
                                            .anyMatch(
                                                    replica ->
                                                            replica.getLoad().getRefusedPerSecond()
                                                                    > 0));
        }
    }

    /** A front end that asks for much and takes nothing, as one whose network is slow. */
    @Test
    void accountsReadsAreRefusedAndOthersServed_whileItsAnswersWait() throws Exception {
        RpcConfig common = rpc(1, caps(100_000, 0));
        RpcConfig small =
                new RpcConfig(
                        common.pointReadThreads(),
                        common.scanThreads(),
                        common.readQueueMax(),
                        common.requestsInFlightMax(),
                        2 << 20,
                        common.scanBytesMax(),
                        common.scanTimeMax(),
                        common.retryAfter(),
                        common.rangeCaps());
        FakeManager manager = new FakeManager("cluster-1", List.of(RunningServer.WHOLE));
        try (RunningServer server =
                RunningServer.start(RunningServer.config(folder).withRpc(small), manager)) {
            server.client().callWhenReady(command(insert(1, "p", "r", "x".repeat(8_000))));
            RequestBundle.Builder bundle = RequestBundle.newBuilder();
            for (int i = 1; i <= 1_000; i++) {
                bundle.addRequests(
                        read(key("p", "r"))
                                .setRequestId(i)
                                .setRangeId(1)
                                .setGeneration(1)
                                .setTimeLeftMillis(60_000));
            }
            List<RangeResponse> answers = new CopyOnWriteArrayList<>();
            SlowReader reader = new SlowReader(answers);
            RangeServiceGrpc.newStub(server.channel()).exchange(reader).onNext(bundle.build());
            eventually("reads refused")
                    .until(
                            () ->
                                    count(
                                                    server,
                                                    "partition_server_refusals_total",
                                                    "reason",
                                                    "node_memory")
                                            > 500);
            assertThat(server.meters.get("partition_server_in_flight_bytes").gauge().value())
                    .isBetween(1e6, 2e6);
            assertThat(server.client().callWhenReady(read(key("p", "r"))).getBusy().getReason())
                    .isEqualTo("node memory");
            Key others = KeyCodec.entity(OTHER, "p", "r");
            assertThat(server.client().callWhenReady(read(others)).hasRow()).isTrue();

            reader.takeAll();
            await().until(() -> answers.size() == 1_000);
            assertThat(answers.stream().filter(RangeResponse::hasRow).count())
                    .isBetween(100L, 499L);
            assertThat(server.client().callWhenReady(read(key("p", "r"))).hasRow()).isTrue();
        }
    }

    /** Takes answers only when it is told to. */
    private static final class SlowReader
            implements ClientResponseObserver<RequestBundle, ResponseBundle> {
        private final List<RangeResponse> answers;
        private volatile ClientCallStreamObserver<RequestBundle> stream;

        SlowReader(List<RangeResponse> answers) {
            this.answers = answers;
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<RequestBundle> begun) {
            stream = begun;
            begun.disableAutoRequestWithInitial(0);
        }

        void takeAll() {
            stream.request(Integer.MAX_VALUE);
        }

        @Override
        public void onNext(ResponseBundle bundle) {
            answers.addAll(bundle.getResponsesList());
        }

        @Override
        public void onError(Throwable failure) {
            answers.clear();
        }

        @Override
        public void onCompleted() {}
    }

    /** Keeps more scans waiting at a node than its threads get done. */
    private static final class Saturation implements AutoCloseable {
        private static final int OUTSTANDING = 300;

        private final RunningServer server;
        private final Thread feeder = new Thread(this::feed, "saturation");
        private final Semaphore room = new Semaphore(OUTSTANDING);
        private final AtomicLong answered = new AtomicLong();
        private volatile boolean over;

        Saturation(RunningServer server) {
            this.server = server;
            feeder.start();
        }

        private void feed() {
            while (true) {
                room.acquireUninterruptibly();
                if (over) {
                    return;
                }
                server.client()
                        .send(nothingOfAll())
                        .whenComplete(
                                (response, failure) -> {
                                    answered.incrementAndGet();
                                    room.release();
                                });
            }
        }

        /** Looks at every row and finds none. */
        private static RangeRequest.Builder nothingOfAll() {
            RangeRequest.Builder scan =
                    scan(KeyRange.ofPrefix(KeyCodec.scope(Commands.TABLE)), 1_000);
            scan.getScanBuilder().setFilter(ByteString.copyFrom(NEVER));
            return scan;
        }

        long answered() {
            return answered.get();
        }

        double waiting() {
            return server.meters.get("partition_server_queued_scans").gauge().value();
        }

        @Override
        public void close() {
            over = true;
            room.release();
        }
    }

    @Test
    void reportsPointReadsAndWritesComplete_whileScansSaturatePool() throws Exception {
        try (TestCluster cluster =
                TestCluster.in(folder).settings(AdmissionIT::oneThread).start()) {
            for (int i = 0; i < 40; i++) {
                cluster.client.put("p", "r" + i, "x".repeat(30_000));
            }
            String leader = cluster.awaitLeader();
            try (Saturation scans = new Saturation(cluster.node(leader))) {
                Optional<ReplicaReport> last = cluster.reports.replica(leader);
                for (int i = 0; i < 10; i++) {
                    Optional<ReplicaReport> before = last;
                    eventually("report " + i)
                            .until(() -> isOther(cluster.reports.replica(leader), before));
                    last = cluster.reports.replica(leader);
                    String row = "w" + i;
                    passes(
                            scans,
                            () ->
                                    eventually("read of a row, which takes a lease")
                                            .until(
                                                    () ->
                                                            cluster.node(leader)
                                                                    .client()
                                                                    .call(row("r1"))
                                                                    .hasRow()));
                    passes(scans, () -> cluster.client.put("p", row, "x"));
                }
            }
        }
    }

    /**
     * The call is answered before the scans are that waited when it was made. One that waited
     * behind them never is; one that passes them may take as long for other reasons, and is made
     * again.
     */
    private static void passes(Saturation scans, Runnable call) {
        eventually("call that passes the scans which wait")
                .until(
                        () -> {
                            await().until(() -> scans.waiting() > 100);
                            double waiting = scans.waiting();
                            long answered = scans.answered();
                            call.run();
                            return scans.answered() - answered < waiting;
                        });
    }

    /** Nobody is elected for want of processor time, so that the leader stays the one. */
    private static TestConfig oneThread(TestConfig config) {
        return config.withRpc(rpc(1, caps(100_000, 0)))
                .withRaft(
                        new TestRaft(config.raft())
                                .withElectionTimeout(
                                        Duration.ofMillis(1_500), Duration.ofSeconds(3))
                                .withFirstElection(
                                        TestCluster.FIRST_ELECTION_MIN,
                                        TestCluster.FIRST_ELECTION_MAX)
                                .build());
    }

    private static ConditionFactory eventually(String what) {
        return await(what).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5));
    }

    private static RangeRequest.Builder row(String name) {
        return read(key("p", name));
    }

    @SuppressWarnings("ReferenceEquality") // each report is another object, whatever it says
    private static boolean isOther(Optional<ReplicaReport> now, Optional<ReplicaReport> before) {
        return now.isPresent() && (before.isEmpty() || now.get() != before.get());
    }

    @Test
    void coalescedReadsSeeEveryAckedWrite_whenAckPrecedesArrival() throws Exception {
        try (RunningServer server =
                RunningServer.start(
                        RunningServer.config(folder).withRpc(rpc(1, caps(100_000, 0))))) {
            server.client().callWhenReady(command(insert(1, "hot", "r", "0")));
            AtomicLong acknowledged = new AtomicLong();
            for (int round = 1; round <= 300; round++) {
                int value = round;
                CompletableFuture<Void> written =
                        server.client()
                                .send(
                                        command(
                                                Commands.write(
                                                        1 + round,
                                                        EntityOperation.Kind.UPDATE,
                                                        "hot",
                                                        "r",
                                                        "" + value)))
                                .thenAccept(
                                        answer -> {
                                            assertThat(answer.getOutcome().hasWritten()).isTrue();
                                            acknowledged.set(value);
                                        });
                List<CompletableFuture<Void>> reads = new ArrayList<>();
                for (int i = 0; i < 40; i++) {
                    long floor = acknowledged.get();
                    reads.add(
                            server.client()
                                    .send(read(key("hot", "r")))
                                    .thenAccept(
                                            answer ->
                                                    assertThat(value(answer))
                                                            .isBetween(floor, (long) value)));
                }
                for (CompletableFuture<Void> each : reads) {
                    each.get(60, TimeUnit.SECONDS);
                }
                written.get(60, TimeUnit.SECONDS);
                assertThat(value(server.client().callWhenReady(read(key("hot", "r")))))
                        .isEqualTo(value);
            }
            assertThat(count(server, "partition_server_joined_reads_total")).isPositive();
        }
    }

    private static long value(RangeResponse answer) {
        EdmValue text =
                EntityView.of(key("hot", "r"), answer.getRow().getValue().toByteArray())
                        .toEntity()
                        .properties()
                        .get(0)
                        .value();
        return Long.parseLong(((EdmValue.StringValue) text).value());
    }
}

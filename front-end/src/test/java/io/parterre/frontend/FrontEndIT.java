package io.parterre.frontend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parterre.endpoint.ManagerEndpoint;
import io.parterre.endpoint.ManagerEndpoints;
import io.parterre.frontend.auth.AccountDirectory;
import io.parterre.frontend.auth.AccountsConfig;
import io.parterre.frontend.auth.AccountsTrust;
import io.parterre.frontend.auth.TokenKeys;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.call.HttpHandler;
import io.parterre.frontend.client.ClusterClientConfig;
import io.parterre.frontend.config.RecordCopy;
import io.parterre.frontend.http.HttpServerConfig;
import io.parterre.frontend.http.ListenException;
import io.parterre.frontend.observe.ObservationConfig;
import io.parterre.frontend.observe.RequestLogConfig;
import io.parterre.frontend.observe.SlowRequestsConfig;
import io.parterre.frontend.observe.Tracing;
import io.parterre.frontend.service.TableService;
import io.parterre.frontend.service.TableServiceConfig;
import io.parterre.frontend.store.TableStore;
import io.parterre.frontend.table.EntityLimits;
import io.parterre.key.KeyRange;
import io.parterre.proto.manager.Account;
import io.parterre.proto.manager.ConfirmMapRequest;
import io.parterre.proto.manager.ConfirmMapResponse;
import io.parterre.proto.manager.ManagerServiceGrpc.ManagerServiceImplBase;
import io.parterre.proto.manager.MapUpdate;
import io.parterre.proto.manager.Node;
import io.parterre.proto.manager.WatchRequest;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import io.parterre.proto.range.RangeServiceGrpc.RangeServiceImplBase;
import io.parterre.proto.range.RequestBundle;
import io.parterre.proto.range.ResponseBundle;
import io.parterre.proto.range.Row;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The role as a whole: a socket on one side, managers and nodes on the other. */
final class FrontEndIT {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final List<StreamObserver<MapUpdate>> watchers = new CopyOnWriteArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();
    private final String name = InProcessServerBuilder.generateName();
    private Server cluster;
    private ManagedChannel channel;
    private FrontEnd frontEnd;
    private volatile boolean cutOff;

    @BeforeEach
    void start() throws Exception {
        cluster =
                InProcessServerBuilder.forName(name)
                        .directExecutor()
                        .addService(new Manager())
                        .addService(new EmptyNode())
                        .build()
                        .start();
        channel = InProcessChannelBuilder.forName(name).directExecutor().build();
        frontEnd = start(config(0));
    }

    private static FrontEndConfig config(int port) {
        HttpServerConfig http = HttpServerConfig.listeningOn("127.0.0.1", port);
        return new FrontEndConfig(
                "front-end",
                http,
                http.connectionsMax(),
                ClusterClientConfig.DEFAULT,
                EntityLimits.OF_THE_SERVICE,
                AccountsConfig.DEFAULT,
                ObservationConfig.DEFAULT,
                "");
    }

    private FrontEnd start(FrontEndConfig config) throws Exception {
        return start(config, FrontEndIT::tableNames);
    }

    private FrontEnd start(
            FrontEndConfig config, BiFunction<AccountDirectory, TableStore, HttpHandler> handlers)
            throws Exception {
        return FrontEnd.start(
                config,
                new ManagerEndpoints(List.of(new ManagerEndpoint("manager", channel))),
                (nodeId, address) ->
                        InProcessChannelBuilder.forName(address).directExecutor().build(),
                handlers,
                InstantSource.system(),
                registry,
                Optional.empty(),
                Tracing.OFF);
    }

    @AfterEach
    void stop() {
        frontEnd.close();
        channel.shutdownNow();
        cluster.shutdownNow();
    }

    /** Answers whether the account's table of the target's name exists. */
    private static HttpHandler tableNames(AccountDirectory accounts, TableStore tables) {
        return call ->
                tables.findTable(
                                accounts.find("acc").orElseThrow().accountId(),
                                call.target().substring(1),
                                Instant.now().plusSeconds(10))
                        .thenApply(found -> found.isPresent() ? answer(200) : answer(404));
    }

    private static HttpAnswer answer(int status) {
        return new HttpAnswer(
                status, "R", HeaderList.EMPTY, "b".getBytes(StandardCharsets.US_ASCII));
    }

    private void tellTheMap() {
        RangeDescriptor all =
                new RangeDescriptor(
                        new RangeId(1), KeyRange.ALL, Generation.FIRST, List.of(new NodeId("n")));
        MapUpdate update =
                MapUpdate.newBuilder()
                        .setVersion(3)
                        .setWhole(true)
                        .addRanges(DescriptorCodec.toProto(all))
                        .addNodes(Node.newBuilder().setNodeId("n").setServiceAddress(name))
                        .addAccounts(Account.newBuilder().setAccountId(1).setName("acc"))
                        .build();
        watchers.forEach(watcher -> watcher.onNext(update));
    }

    private CompletableFuture<Integer> get(String path) {
        URI uri = URI.create("http://127.0.0.1:" + frontEnd.address().getPort() + path);
        return http.sendAsync(
                        HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
                .thenApply(HttpResponse::statusCode);
    }

    private double answers(String request, String code) {
        return registry.get("front_end_requests_total")
                .tags("operation", request, "code", code)
                .counter()
                .count();
    }

    @Test
    void frontEndServesWaitingCalls_afterFirstMapArrives() {
        assertThat(frontEnd.ready()).isNotDone();
        CompletableFuture<Integer> early = get("/table");
        await().until(() -> registry.get("front_end_connections").gauge().value() > 0);
        assertThat(early).isNotDone();
        tellTheMap();
        frontEnd.ready().join();
        assertThat(get("/table").join()).isEqualTo(404);
        assertThat(early.join()).isEqualTo(404);
        assertThat(answers("GET", "404")).isEqualTo(2);
        assertThat(registry.get("front_end_request_seconds").timer().count()).isEqualTo(2);
        assertThat(registry.get("front_end_map_version").gauge().value()).isEqualTo(3);
        assertThat(registry.get("front_end_connections").gauge().value()).isGreaterThan(0);
        assertThat(registry.get("front_end_in_flight_bytes").gauges())
                .hasSize(3)
                .allSatisfy(gauge -> assertThat(gauge.value()).isZero());
        assertThat(registry.get("front_end_cut_offs_total").functionCounters()).hasSize(7);
    }

    private void assertRefused(HttpRequest.Builder request, String path, int status, String code)
            throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + frontEnd.address().getPort() + path);
        HttpResponse<String> answer =
                http.send(
                        request.uri(uri).header("x-ms-client-request-id", "mine").build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("x-ms-error-code")).contains(code);
        assertThat(answer.headers().firstValue("x-ms-version")).isPresent();
        String requestId = answer.headers().firstValue("x-ms-request-id").orElseThrow();
        assertThat(answer.body())
                .contains("\"code\":\"" + code + "\"")
                .contains("\\nRequestId:" + requestId + "\\nTime:20");
    }

    @Test
    void cutOffFrontEndRefusesCalls_afterGreatestAgeOfAccounts() throws Exception {
        frontEnd.close();
        watchers.clear();
        frontEnd =
                start(
                        RecordCopy.with(
                                config(0),
                                Map.of("accounts", new AccountsConfig(Duration.ofSeconds(2)))),
                        (accounts, tables) ->
                                new TableService(
                                        accounts,
                                        TokenKeys.NONE,
                                        tables,
                                        InstantSource.system(),
                                        TableServiceConfig.defaults(),
                                        () -> UUID.randomUUID().toString()));
        tellTheMap();
        frontEnd.ready().join();
        // Nobody knows the caller, but who that is would be known.
        assertThat(get("/acc/Tables").join()).isEqualTo(403);
        cutOff = true;
        watchers.forEach(watcher -> watcher.onError(Status.UNAVAILABLE.asRuntimeException()));
        watchers.clear();
        await().until(() -> get("/acc/Tables").join() == 503);
        URI uri = URI.create("http://127.0.0.1:" + frontEnd.address().getPort() + "/acc/Tables");
        assertThat(
                        http.send(
                                        HttpRequest.newBuilder(uri).build(),
                                        HttpResponse.BodyHandlers.discarding())
                                .headers()
                                .firstValue("parterre-busy-reason"))
                .contains("accounts out of date");
        assertThat(frontEnd.accountsTrust()).isEqualTo(AccountsTrust.EXPIRED);
        assertThat(registry.get("front_end_accounts_age_seconds").gauge().value())
                .isGreaterThanOrEqualTo(2);
        cutOff = false;
        await().until(() -> !watchers.isEmpty());
        tellTheMap();
        await().until(() -> get("/acc/Tables").join() == 403);
    }

    @Test
    void httpLimitErrorsHaveServiceErrorFormat_whenRequestIsTooLarge() throws Exception {
        String long40 = "a".repeat(40 * 1_024);
        byte[] large = new byte[5 << 20];
        assertRefused(HttpRequest.newBuilder(), "/" + long40, 414, "RequestUrlFailedToParse");
        assertRefused(
                HttpRequest.newBuilder().header("X", long40), "/t", 431, "InvalidHeaderValue");
        assertRefused(
                HttpRequest.newBuilder().POST(HttpRequest.BodyPublishers.ofByteArray(large)),
                "/t",
                413,
                "RequestBodyTooLarge");
    }

    @Test
    void everyRequestIsLogged_refusedOnesIncluded(@TempDir Path folder) throws Exception {
        frontEnd.close();
        watchers.clear();
        Path file = folder.resolve("requests.log");
        ObservationConfig observation =
                new ObservationConfig(
                        new RequestLogConfig(RequestLogConfig.Output.FILE, file, 1 << 20, 2, 1_000),
                        SlowRequestsConfig.DEFAULT,
                        10,
                        60);
        frontEnd =
                start(
                        RecordCopy.with(config(0), Map.of("observation", observation)),
                        (accounts, tables) ->
                                new TableService(
                                        accounts,
                                        TokenKeys.NONE,
                                        tables,
                                        InstantSource.system(),
                                        TableServiceConfig.defaults(),
                                        () -> "an-id"));
        tellTheMap();
        frontEnd.ready().join();
        assertThat(get("/acc/people?sv=2019-02-02&sig=SECRET").join()).isEqualTo(403);
        String long40 = "a".repeat(40 * 1_024);
        assertRefused(HttpRequest.newBuilder(), "/" + long40, 414, "RequestUrlFailedToParse");
        await().until(() -> Files.exists(file) && Files.readAllLines(file).size() == 2);
        assertThat(Files.readAllLines(file))
                .satisfiesExactly(
                        line ->
                                assertThat(line)
                                        .contains("\"operation-type\":\"QueryEntities\"")
                                        .contains("\"request-status\":\"SASAuthorizationError\"")
                                        .contains("\"http-status-code\":403")
                                        .contains("\"owner-account-name\":\"acc\"")
                                        .contains("/acc/people?sv=2019-02-02&sig=XXXXX")
                                        .contains("\"request-id-header\":\"an-id\"")
                                        .doesNotContain("SECRET"),
                        line ->
                                assertThat(line)
                                        .contains("\"operation-type\":\"Unknown\"")
                                        .contains("\"http-status-code\":414"));
        assertThat(
                        registry.get("front_end_request_log_lines_total")
                                .tag("outcome", "written")
                                .functionCounter()
                                .count())
                .isEqualTo(2);
    }

    @Test
    void frontEndStartFails_whenPortIsInUse() {
        FrontEndConfig same = config(frontEnd.address().getPort());
        assertThatThrownBy(() -> start(same)).isInstanceOf(ListenException.class);
    }

    private final class Manager extends ManagerServiceImplBase {
        @Override
        public void watch(WatchRequest request, StreamObserver<MapUpdate> updates) {
            if (cutOff) {
                updates.onError(Status.UNAVAILABLE.asRuntimeException());
                return;
            }
            watchers.add(updates);
        }

        @Override
        public void confirmMap(
                ConfirmMapRequest request, StreamObserver<ConfirmMapResponse> answer) {
            if (cutOff) {
                answer.onError(Status.UNAVAILABLE.asRuntimeException());
                return;
            }
            answer.onNext(ConfirmMapResponse.newBuilder().setVersion(request.getVersion()).build());
            answer.onCompleted();
        }
    }

    /** Has every range, and nothing in any. */
    private static final class EmptyNode extends RangeServiceImplBase {
        @Override
        public StreamObserver<RequestBundle> exchange(StreamObserver<ResponseBundle> answers) {
            return new StreamObserver<>() {
                @Override
                public void onNext(RequestBundle bundle) {
                    ResponseBundle.Builder all = ResponseBundle.newBuilder();
                    for (RangeRequest request : bundle.getRequestsList()) {
                        all.addResponses(
                                RangeResponse.newBuilder()
                                        .setRequestId(request.getRequestId())
                                        .setRow(Row.getDefaultInstance()));
                    }
                    answers.onNext(all.build());
                }

                @Override
                public void onError(Throwable cause) {
                    // The front end has gone.
                }

                @Override
                public void onCompleted() {
                    answers.onCompleted();
                }
            };
        }
    }
}

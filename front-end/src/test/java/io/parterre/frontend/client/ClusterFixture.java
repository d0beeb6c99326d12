package io.parterre.frontend.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ManagedChannel;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.parterre.directory.TableRecord;
import io.parterre.directory.TableRecordCodec;
import io.parterre.endpoint.ManagerEndpoints;
import io.parterre.entity.EdmValue;
import io.parterre.entity.EntityCodec;
import io.parterre.entity.Property;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.auth.AccountsConfig;
import io.parterre.frontend.store.EntityWrite;
import io.parterre.frontend.store.StoredEntity;
import io.parterre.frontend.store.TableStore;
import io.parterre.frontend.store.WriteResult;
import io.parterre.frontend.table.EntityLimits;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import io.parterre.proto.range.RangeRequest;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** A client of three nodes and a manager, all in this process. */
final class ClusterFixture implements AutoCloseable {
    static final AccountId ACCOUNT = new AccountId(7);
    static final ObjectId TABLE_ID = new ObjectId(50);
    static final Scope SCOPE = Scope.ofTable(ACCOUNT, TABLE_ID);
    static final RangeDescriptor ALL = range(1, KeyRange.ALL, 1, "a", "b", "c");

    final FakeStore store = new FakeStore();
    final FakeNode a = new FakeNode("a", store);
    final FakeNode b = new FakeNode("b", store);
    final FakeNode c = new FakeNode("c", store);
    final FakeManager manager = new FakeManager();
    final List<String> setbacks = new CopyOnWriteArrayList<>();
    final InMemorySpanExporter spans = InMemorySpanExporter.create();
    final Tracer tracer =
            SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(spans))
                    .build()
                    .get("test");
    final ClusterClient client;
    final TableStore tables;

    /** One range over everything, led by node a. */
    ClusterFixture() throws IOException {
        this(UnaryOperator.identity(), fixture -> {}, () -> Runnable::run);
    }

    interface Preparation {
        void prepare(ClusterFixture fixture) throws IOException;
    }

    ClusterFixture(
            UnaryOperator<ClusterClientConfig> config,
            Preparation preparation,
            Supplier<Executor> callbacks)
            throws IOException {
        a.leads(ALL);
        b.follows(ALL, "a");
        c.follows(ALL, "a");
        manager.tells(FakeManager.map(1, nodes(), ALL));
        store.put(
                KeyCodec.tableDirectoryRow(ACCOUNT, "people"),
                TableRecordCodec.encode(
                        new TableRecord("People", TABLE_ID, TableRecord.State.LIVE)));
        preparation.prepare(this);
        client =
                ClusterClient.start(
                        new FrontEndName("test", "", ""),
                        config.apply(ClusterClientConfig.DEFAULT),
                        EntityLimits.OF_THE_SERVICE,
                        AccountsConfig.DEFAULT,
                        new ManagerEndpoints(List.of(manager.endpoint())),
                        ClusterFixture::open,
                        callbacks,
                        setbacks::add,
                        tracer,
                        InstantSource.system(),
                        System::nanoTime,
                        new Random(1));
        tables = client.tables();
    }

    static ClusterFixture prepared(Preparation preparation) throws IOException {
        return new ClusterFixture(UnaryOperator.identity(), preparation, () -> Runnable::run);
    }

    static ManagedChannel open(NodeId nodeId, String address) {
        return InProcessChannelBuilder.forName(address).directExecutor().build();
    }

    List<FakeNode> nodes() {
        return List.of(a, b, c);
    }

    static RangeDescriptor range(long id, KeyRange bounds, long generation, String... members) {
        return new RangeDescriptor(
                new RangeId(id),
                bounds,
                new Generation(generation),
                Arrays.stream(members).map(NodeId::new).toList());
    }

    /** The key at which a range is split before a partition of the table. */
    static Key splitPoint(String partitionKey) {
        return KeyCodec.partition(SCOPE, partitionKey);
    }

    static Instant soon() {
        return Instant.now().plusSeconds(20);
    }

    static Instant in(Duration duration) {
        return Instant.now().plus(duration);
    }

    static byte[] block(String text) {
        return EntityCodec.encodeBlock(
                List.of(
                        new Property("Text", new EdmValue.StringValue(text)),
                        new Property("Length", new EdmValue.Int32Value(text.length()))));
    }

    static EntityWrite insert(String partitionKey, String rowKey) {
        return new EntityWrite(
                EntityWrite.Kind.INSERT,
                partitionKey,
                rowKey,
                block(partitionKey + rowKey),
                OptionalLong.empty());
    }

    /** Puts an entity where a write would. */
    void store(String partitionKey, String rowKey) {
        store.put(
                KeyCodec.entity(SCOPE, partitionKey, rowKey),
                EntityCodec.encodeValue(5, block(partitionKey + rowKey)));
    }

    CompletionStage<Optional<StoredEntity>> read(String partitionKey) {
        return tables.read(ACCOUNT, "People", partitionKey, "1", Optional.empty(), soon());
    }

    CompletionStage<WriteResult> write(String partitionKey) {
        return tables.write(ACCOUNT, "people", List.of(insert(partitionKey, "1")), soon());
    }

    /** The commands that a node was asked for. */
    static List<RangeRequest> writes(FakeNode node) {
        return node.requests.stream().filter(RangeRequest::hasCommand).toList();
    }

    static void assertCode(CompletionStage<?> stage, ErrorCode code) {
        assertThatThrownBy(() -> get(stage))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        failure -> assertThat(failure.code()).isEqualTo(code));
    }

    /** What a stage ends with; a failure is thrown as it is, not wrapped. */
    static <T> T get(CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get(15, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause();
            if (cause instanceof CompletionException && cause.getCause() != null) {
                cause = cause.getCause();
            }
            throw cause instanceof Exception exception ? exception : failed;
        } catch (TimeoutException late) {
            throw new AssertionError("the stage did not end", late);
        }
    }

    @Override
    public void close() {
        client.close();
        nodes().forEach(FakeNode::close);
        manager.close();
    }
}

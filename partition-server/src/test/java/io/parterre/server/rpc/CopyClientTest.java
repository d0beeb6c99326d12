package io.parterre.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import io.parterre.entity.ByteSink;
import io.parterre.key.KeyRange;
import io.parterre.proto.node.CopyEnd;
import io.parterre.proto.node.CopyHeader;
import io.parterre.proto.node.CopyPart;
import io.parterre.proto.node.CopyReplicaRequest;
import io.parterre.proto.node.CopyRows;
import io.parterre.proto.node.NodeServiceGrpc;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.release.FeatureLevel;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.command.Member;
import io.parterre.server.command.MemberCodec;
import io.parterre.server.copy.ReplicaSink;
import io.parterre.server.rows.AppliedPosition;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client that gets what a faulty node, or the way from it, has made of a copy. */
final class CopyClientTest {
    private static final Member MEMBER = new Member(new NodeId("a"), "a:1", "a:2");
    private static final RangeDescriptor RANGE =
            new RangeDescriptor(
                    new RangeId(7), KeyRange.ALL, Generation.FIRST, List.of(MEMBER.nodeId()));

    private final String name = "node-" + UUID.randomUUID();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final List<String> taken = new ArrayList<>();
    private Server server;

    @AfterEach
    void stop() {
        server.shutdownNow();
        timer.shutdownNow();
    }

    private void copyOf(Consumer<StreamObserver<CopyPart>> node) throws IOException {
        copyOf(node, Duration.ofSeconds(30));
    }

    private void copyOf(Consumer<StreamObserver<CopyPart>> node, Duration idleMax)
            throws IOException {
        server =
                InProcessServerBuilder.forName(name)
                        .directExecutor()
                        .addService(
                                new NodeServiceGrpc.NodeServiceImplBase() {
                                    @Override
                                    public void copyReplica(
                                            CopyReplicaRequest request,
                                            StreamObserver<CopyPart> observer) {
                                        assertThat(request.getNodeId()).isEqualTo("me");
                                        node.accept(observer);
                                    }
                                })
                        .build()
                        .start();
        CopyClient client =
                new CopyClient(
                        new NodeId("me"),
                        (nodeId, address) -> InProcessChannelBuilder.forName(address).build(),
                        new CopyConfig(1, 1, 1 << 20, 1 << 10, idleMax),
                        timer,
                        System::nanoTime);
        client.copy(
                MEMBER.nodeId(),
                name,
                RANGE.rangeId(),
                new ReplicaSink() {
                    @Override
                    public void begin(HostedRange range, AppliedPosition applied) {
                        taken.add(range.descriptor().rangeId() + " at " + applied.index());
                        assertThat(range.members()).containsExactly(MEMBER);
                    }

                    @Override
                    public void row(byte[] key, byte[] value) {
                        taken.add(HexFormat.of().formatHex(key));
                    }
                });
    }

    private void assertRefused(Consumer<StreamObserver<CopyPart>> node) {
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> copyOf(node));
    }

    private static CopyPart header() {
        return CopyPart.newBuilder()
                .setHeader(
                        CopyHeader.newBuilder()
                                .setRange(DescriptorCodec.toProto(RANGE))
                                .addMembers(MemberCodec.toProto(MEMBER))
                                .setAppliedTerm(2)
                                .setAppliedIndex(40))
                .build();
    }

    private static CopyRows.Builder rows(int... keys) {
        ByteSink page = new ByteSink(64);
        for (int key : keys) {
            page.writeBlob(new byte[] {(byte) key});
            page.writeBlob(new byte[] {1});
        }
        byte[] bytes = page.toBytes();
        return CopyRows.newBuilder()
                .setRows(ByteString.copyFrom(bytes))
                .setRowCount(keys.length)
                .setCrc32C(CopyStream.crc(bytes));
    }

    private static CopyPart part(CopyRows.Builder rows) {
        return CopyPart.newBuilder().setRows(rows).build();
    }

    private static CopyPart end(long rows) {
        return CopyPart.newBuilder().setEnd(CopyEnd.newBuilder().setRowCount(rows)).build();
    }

    private static void send(StreamObserver<CopyPart> observer, CopyPart... parts) {
        for (CopyPart part : parts) {
            observer.onNext(part);
        }
        observer.onCompleted();
    }

    @Test
    void replicaCopyDeliversRowsInOrder_whenComplete() throws Exception {
        copyOf(node -> send(node, header(), part(rows(1, 2)), part(rows(3)), end(3)));
        assertThat(taken).containsExactly("7 at 40", "01", "02", "03");
    }

    @Test
    void replicaCopyIsRefused_whenNewerReleaseSendsIt() {
        CopyHeader header = header().getHeader();
        CopyHeader later = header.toBuilder().setFormat(FeatureLevel.NEWEST.value() + 1).build();
        CopyHeader unknown =
                header.toBuilder()
                        .setUnknownFields(
                                UnknownFieldSet.newBuilder()
                                        .addField(
                                                99,
                                                UnknownFieldSet.Field.newBuilder()
                                                        .addVarint(1)
                                                        .build())
                                        .build())
                        .build();
        for (CopyHeader each : new CopyHeader[] {later, unknown}) {
            assertRefused(
                    node ->
                            send(
                                    node,
                                    CopyPart.newBuilder().setHeader(each).build(),
                                    part(rows(1)),
                                    end(1)));
            server.shutdownNow();
        }
        assertThat(taken).as("nothing is begun").isEmpty();
    }

    @Test
    void replicaCopyFails_whenRowChecksumIsWrong() {
        assertRefused(
                node ->
                        send(
                                node,
                                header(),
                                part(rows(1, 2).setCrc32C(rows(1, 3).getCrc32C())),
                                end(2)));
    }

    @Test
    void replicaCopyFails_whenTotalRowCountIsWrong() {
        assertRefused(node -> send(node, header(), part(rows(1, 2)), end(3)));
    }

    @Test
    void replicaCopyFails_whenPartRowCountIsWrong() {
        assertRefused(node -> send(node, header(), part(rows(1, 2).setRowCount(1)), end(1)));
    }

    @Test
    void replicaCopyFails_whenStreamEndsEarly() {
        assertRefused(node -> send(node, header(), part(rows(1, 2))));
    }

    @Test
    void replicaCopyFails_whenSourceNodeRejectsRequest() {
        assertRefused(node -> node.onError(Status.RESOURCE_EXHAUSTED.asRuntimeException()));
    }

    @Test
    void replicaCopyFails_whenSourceIsIdleBeyondTimeout() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> copyOf(node -> node.onNext(header()), Duration.ofMillis(50)));
    }
}

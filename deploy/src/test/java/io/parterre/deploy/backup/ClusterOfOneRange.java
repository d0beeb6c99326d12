package io.parterre.deploy.backup;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.parterre.concurrent.DaemonThreads;
import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.network.InProcessTransport;
import io.parterre.deploy.network.Transport;
import io.parterre.entity.ByteSink;
import io.parterre.entity.EntityPage;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.proto.admin.AdminServiceGrpc;
import io.parterre.proto.admin.AdminServiceGrpc.AdminServiceBlockingStub;
import io.parterre.proto.admin.ClusterStatus;
import io.parterre.proto.admin.GetStatusRequest;
import io.parterre.proto.admin.ListAccountsRequest;
import io.parterre.proto.admin.ListAccountsResponse;
import io.parterre.proto.admin.ListNodesRequest;
import io.parterre.proto.admin.ListNodesResponse;
import io.parterre.proto.admin.ListRangesRequest;
import io.parterre.proto.admin.ListRangesResponse;
import io.parterre.proto.admin.NodeStatus;
import io.parterre.proto.admin.RangeStatus;
import io.parterre.proto.manager.Account;
import io.parterre.proto.manager.LeaseObjectIdsRequest;
import io.parterre.proto.manager.LeaseObjectIdsResponse;
import io.parterre.proto.manager.ManagerServiceGrpc;
import io.parterre.proto.manager.Node;
import io.parterre.proto.node.CopyEnd;
import io.parterre.proto.node.CopyHeader;
import io.parterre.proto.node.CopyPart;
import io.parterre.proto.node.CopyRows;
import io.parterre.proto.node.NodeServiceGrpc;
import io.parterre.proto.node.ReadRowsRequest;
import io.parterre.proto.node.RestoreRowsRequest;
import io.parterre.proto.node.RestoreRowsResponse;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.zip.CRC32C;

/** A manager and a node with one range, whose rows tests read and write. */
final class ClusterOfOneRange implements AutoCloseable {
    static final long ACCOUNT = 1;

    /** Rows that are there. */
    final ConcurrentNavigableMap<Key, byte[]> rows = new ConcurrentSkipListMap<>();

    /** Where the range is split for who reads it, though the manager does not know yet. */
    Key splitAt = Key.LAST;

    /** Run before ranges are listed. */
    Runnable onListRanges = () -> {};

    /** Hears the key of each row before it is put. */
    Consumer<Key> onPut = key -> {};

    private final InProcessTransport transport = new InProcessTransport();
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("test-timer"));
    private final AtomicLong objectIds = new AtomicLong(100);
    private final AtomicLong applied = new AtomicLong(1);
    private final RangeDescriptor range =
            new RangeDescriptor(
                    new RangeId(7), KeyRange.ALL, new Generation(1), List.of(new NodeId("n1")));
    private final Transport.Served managerServed;
    private final ManagedChannel manager;
    private Transport.Served nodeServed;
    private String nodeAddress = "n1:1";

    ClusterOfOneRange() throws IOException {
        HostPort address = HostPort.parse("m1:1");
        managerServed = transport.serve(address, List.of(new Admin(), new Manager()));
        manager = transport.connect(address, null);
        nodeServed = transport.serve(HostPort.parse(nodeAddress), List.of(new Rows()));
    }

    /** The node goes on under another address. */
    void moveNode(String address) throws IOException {
        nodeServed.close();
        nodeAddress = address;
        nodeServed = transport.serve(HostPort.parse(address), List.of(new Rows()));
    }

    ClusterAccess access() {
        return new ClusterAccess(
                new ManagerAccess() {
                    @Override
                    public <T> T ask(Function<AdminServiceBlockingStub, T> call) {
                        return call.apply(
                                AdminServiceGrpc.newBlockingStub(manager)
                                        .withDeadlineAfter(30, TimeUnit.SECONDS));
                    }
                },
                transport);
    }

    RowAccess rowAccess() {
        return new RowAccess(stub -> stub, timer);
    }

    @Override
    public void close() {
        manager.shutdownNow();
        nodeServed.close();
        managerServed.close();
        timer.shutdownNow();
        transport.close();
    }

    private static <T> void answer(StreamObserver<T> observer, T answer) {
        observer.onNext(answer);
        observer.onCompleted();
    }

    private final class Admin extends AdminServiceGrpc.AdminServiceImplBase {
        @Override
        public void getStatus(GetStatusRequest request, StreamObserver<ClusterStatus> answer) {
            answer(answer, ClusterStatus.newBuilder().setClusterId("cluster").build());
        }

        @Override
        public void listAccounts(
                ListAccountsRequest request, StreamObserver<ListAccountsResponse> answer) {
            answer(
                    answer,
                    ListAccountsResponse.newBuilder()
                            .addAccounts(Account.newBuilder().setAccountId(ACCOUNT).setName("shop"))
                            .build());
        }

        @Override
        public void listNodes(ListNodesRequest request, StreamObserver<ListNodesResponse> answer) {
            answer(
                    answer,
                    ListNodesResponse.newBuilder()
                            .addNodes(
                                    NodeStatus.newBuilder()
                                            .setNode(
                                                    Node.newBuilder()
                                                            .setNodeId("n1")
                                                            .setServiceAddress(nodeAddress)))
                            .build());
        }

        @Override
        public void listRanges(
                ListRangesRequest request, StreamObserver<ListRangesResponse> answer) {
            onListRanges.run();
            answer(
                    answer,
                    ListRangesResponse.newBuilder()
                            .addRanges(
                                    RangeStatus.newBuilder()
                                            .setRange(DescriptorCodec.toProto(range))
                                            .setLeader("n1"))
                            .build());
        }
    }

    private final class Manager extends ManagerServiceGrpc.ManagerServiceImplBase {
        @Override
        public void leaseObjectIds(
                LeaseObjectIdsRequest request, StreamObserver<LeaseObjectIdsResponse> answer) {
            answer(
                    answer,
                    LeaseObjectIdsResponse.newBuilder()
                            .setFirst(objectIds.getAndIncrement())
                            .setCount(1)
                            .build());
        }
    }

    private final class Rows extends NodeServiceGrpc.NodeServiceImplBase {
        @Override
        public void readRows(ReadRowsRequest request, StreamObserver<CopyPart> answer) {
            KeyRange asked =
                    new KeyRange(
                            Key.wrap(request.getStart().toByteArray()),
                            Key.wrap(request.getEndExclusive().toByteArray()));
            KeyRange bounds =
                    asked.start().compareTo(splitAt) < 0
                            ? new KeyRange(Key.FIRST, splitAt)
                            : new KeyRange(splitAt, Key.LAST);
            RangeDescriptor part =
                    new RangeDescriptor(
                            range.rangeId(), bounds, range.generation(), range.members());
            answer.onNext(
                    CopyPart.newBuilder()
                            .setHeader(
                                    CopyHeader.newBuilder()
                                            .setRange(DescriptorCodec.toProto(part))
                                            .setAppliedTerm(1)
                                            .setAppliedIndex(applied.get()))
                            .build());
            boolean unchanged =
                    request.hasUnchangedSince()
                            && request.getUnchangedSince().getIndex() == applied.get();
            long sent = 0;
            if (!unchanged) {
                KeyRange keys = asked.intersection(bounds);
                ByteSink page = new ByteSink(64);
                for (Map.Entry<Key, byte[]> row :
                        rows.subMap(keys.start(), keys.endExclusive()).entrySet()) {
                    page.writeBlob(row.getKey().unsafeBytes());
                    page.writeBlob(row.getValue());
                    sent++;
                }
                byte[] bytes = page.toBytes();
                CRC32C crc = new CRC32C();
                crc.update(bytes);
                answer.onNext(
                        CopyPart.newBuilder()
                                .setRows(
                                        CopyRows.newBuilder()
                                                .setRows(ByteString.copyFrom(bytes))
                                                .setRowCount((int) sent)
                                                .setCrc32C((int) crc.getValue()))
                                .build());
            }
            answer(
                    answer,
                    CopyPart.newBuilder()
                            .setEnd(CopyEnd.newBuilder().setRowCount(sent).setUnchanged(unchanged))
                            .build());
        }

        @Override
        public void restoreRows(
                RestoreRowsRequest request, StreamObserver<RestoreRowsResponse> answer) {
            int[] counts = new int[2];
            try {
                EntityPage.forEachRow(
                        request.getRows().toByteArray(),
                        (key, value) -> {
                            onPut.accept(key);
                            byte[] before = rows.putIfAbsent(key, value);
                            if (before != null) {
                                counts[Arrays.equals(before, value) ? 0 : 1]++;
                            }
                        });
            } catch (IllegalStateException refused) {
                answer.onError(
                        Status.PERMISSION_DENIED
                                .withDescription(refused.getMessage())
                                .asRuntimeException());
                return;
            }
            applied.incrementAndGet();
            answer(
                    answer,
                    RestoreRowsResponse.newBuilder()
                            .setThere(counts[0])
                            .setKept(counts[1])
                            .build());
        }
    }
}

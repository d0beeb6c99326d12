package io.parterre.frontend.client;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import io.parterre.endpoint.ManagerEndpoint;
import io.parterre.endpoint.ManagerEndpoints;
import io.parterre.proto.manager.Account;
import io.parterre.proto.manager.ConfirmMapRequest;
import io.parterre.proto.manager.ConfirmMapResponse;
import io.parterre.proto.manager.LeaseObjectIdsRequest;
import io.parterre.proto.manager.LeaseObjectIdsResponse;
import io.parterre.proto.manager.ManagerServiceGrpc.ManagerServiceImplBase;
import io.parterre.proto.manager.MapUpdate;
import io.parterre.proto.manager.Node;
import io.parterre.proto.manager.WatchRequest;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.RangeDescriptor;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A partition manager that tells the map it is given. */
final class FakeManager implements AutoCloseable {
    final String address = InProcessServerBuilder.generateName();
    final List<WatchRequest> watches = new CopyOnWriteArrayList<>();
    final List<ConfirmMapRequest> confirmations = new CopyOnWriteArrayList<>();

    /** Version that it says its map has; 0: whichever the caller holds. */
    volatile long vouchesFor;

    /** Whether it is of a release that takes confirmations. */
    volatile boolean confirms = true;

    final AtomicInteger leases = new AtomicInteger();

    private final Server server;
    private final ManagedChannel channel;
    private final List<StreamObserver<MapUpdate>> watchers = new CopyOnWriteArrayList<>();
    private volatile Optional<MapUpdate> whole = Optional.empty();
    private volatile Optional<String> leaderElsewhere = Optional.empty();
    private volatile boolean following;
    private volatile long nextObjectId = 100;

    FakeManager() throws IOException {
        server =
                InProcessServerBuilder.forName(address)
                        .directExecutor()
                        .addService(new Service())
                        .build()
                        .start();
        channel = InProcessChannelBuilder.forName(address).directExecutor().build();
    }

    ManagerEndpoint endpoint() {
        return new ManagerEndpoint(address, channel);
    }

    static MapUpdate.Builder map(long version, List<FakeNode> nodes, RangeDescriptor... ranges) {
        MapUpdate.Builder update =
                MapUpdate.newBuilder()
                        .setVersion(version)
                        .setWhole(true)
                        .setClusterId("test")
                        .addAccounts(
                                Account.newBuilder()
                                        .setAccountId(7)
                                        .setName("acc")
                                        .addKeys(ByteString.copyFromUtf8("key")));
        nodes.forEach(
                node ->
                        update.addNodes(
                                Node.newBuilder()
                                        .setNodeId(node.nodeId.value())
                                        .setServiceAddress(node.address)));
        for (RangeDescriptor range : ranges) {
            update.addRanges(DescriptorCodec.toProto(range));
        }
        return update;
    }

    /** What new watchers are told. */
    FakeManager tells(MapUpdate.Builder update) {
        whole = Optional.of(update.build());
        return this;
    }

    void pushes(MapUpdate.Builder update) {
        watchers.forEach(watcher -> watcher.onNext(update.build()));
    }

    /** From now on it says that another leads, and who if that is known. */
    void stepsDown(Optional<String> leader) {
        leaderElsewhere = leader;
        following = true;
        watchers.forEach(watcher -> watcher.onError(notLeading()));
        watchers.clear();
    }

    void leadsAgain() {
        following = false;
    }

    long confirmationsOf(long version) {
        return confirmations.stream().filter(each -> each.getVersion() == version).count();
    }

    private RuntimeException notLeading() {
        Metadata trailers = new Metadata();
        leaderElsewhere.ifPresent(leader -> trailers.put(ManagerEndpoints.LEADER, leader));
        return Status.UNAVAILABLE.asRuntimeException(trailers);
    }

    @Override
    public void close() {
        channel.shutdownNow();
        server.shutdownNow();
    }

    private final class Service extends ManagerServiceImplBase {
        @Override
        public void watch(WatchRequest request, StreamObserver<MapUpdate> updates) {
            watches.add(request);
            if (following) {
                updates.onError(notLeading());
                return;
            }
            watchers.add(updates);
            whole.ifPresent(updates::onNext);
        }

        @Override
        public void confirmMap(
                ConfirmMapRequest request, StreamObserver<ConfirmMapResponse> answer) {
            if (!confirms) {
                super.confirmMap(request, answer);
                return;
            }
            confirmations.add(request);
            if (following) {
                answer.onError(notLeading());
                return;
            }
            answer.onNext(
                    ConfirmMapResponse.newBuilder()
                            .setVersion(vouchesFor == 0 ? request.getVersion() : vouchesFor)
                            .build());
            answer.onCompleted();
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // one call at a time
        public void leaseObjectIds(
                LeaseObjectIdsRequest request, StreamObserver<LeaseObjectIdsResponse> answer) {
            leases.incrementAndGet();
            if (following) {
                answer.onError(notLeading());
                return;
            }
            answer.onNext(
                    LeaseObjectIdsResponse.newBuilder()
                            .setFirst(nextObjectId)
                            .setCount(request.getCount())
                            .build());
            nextObjectId += request.getCount();
            answer.onCompleted();
        }
    }
}

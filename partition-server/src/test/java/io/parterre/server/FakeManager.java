package io.parterre.server;

import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.parterre.endpoint.ManagerEndpoints;
import io.parterre.proto.manager.HeartbeatRequest;
import io.parterre.proto.manager.HeartbeatResponse;
import io.parterre.proto.manager.HostReplica;
import io.parterre.proto.manager.ManagerServiceGrpc;
import io.parterre.proto.manager.Node;
import io.parterre.proto.manager.Order;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.RangeDescriptor;
import io.parterre.release.FeatureLevel;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Orders every node that reports to hold fixed ranges, until its report shows them. */
final class FakeManager extends ManagerServiceGrpc.ManagerServiceImplBase {
    private final String clusterId;
    private final List<RangeDescriptor> ranges;
    private final List<HeartbeatRequest> reports = new CopyOnWriteArrayList<>();
    private final AtomicInteger ordersGiven = new AtomicInteger();
    private final Map<String, Node> nodes = new ConcurrentHashMap<>();
    private volatile Optional<String> leaderElsewhere = Optional.empty();
    private volatile boolean following;
    private volatile int level = FeatureLevel.NEWEST.value();
    private volatile Optional<String> refusal = Optional.empty();
    private volatile Optional<String> noPermit = Optional.empty();
    private volatile boolean grantsPermits = true;

    FakeManager(String clusterId, List<RangeDescriptor> ranges) {
        this.clusterId = clusterId;
        this.ranges = ranges;
    }

    /** From now on it says that another leads, and who if that is known. */
    void stepsDown(Optional<String> leader) {
        leaderElsewhere = leader;
        following = true;
    }

    /** From now on it takes no report, for this reason. */
    void refuses(String reason) {
        refusal = Optional.of(reason);
    }

    /** The cluster's feature level from now on; 0: it tells none. */
    void hasLevel(int value) {
        level = value;
    }

    /** From now on it grants no disruption permit, for this reason; empty: it knows of none. */
    void grantsNoPermit(String reason) {
        grantsPermits = false;
        noPermit = Optional.of(reason);
    }

    void grantsPermits() {
        grantsPermits = true;
        noPermit = Optional.empty();
    }

    void leads() {
        following = false;
        refusal = Optional.empty();
    }

    int ordersGiven() {
        return ordersGiven.get();
    }

    List<HeartbeatRequest> reports() {
        return reports;
    }

    @Override
    public void heartbeat(HeartbeatRequest request, StreamObserver<HeartbeatResponse> response) {
        reports.add(request);
        if (following) {
            Metadata trailers = new Metadata();
            leaderElsewhere.ifPresent(leader -> trailers.put(ManagerEndpoints.LEADER, leader));
            response.onError(Status.UNAVAILABLE.asRuntimeException(trailers));
            return;
        }
        if (refusal.isPresent()) {
            response.onError(
                    Status.FAILED_PRECONDITION.withDescription(refusal.get()).asRuntimeException());
            return;
        }
        HeartbeatResponse.Builder answer =
                HeartbeatResponse.newBuilder().setFeatureLevel(level).setClusterId(clusterId);
        if (request.getStopPermitSeconds() > 0) {
            answer.setStopPermitHeld(grantsPermits).setNoStopPermit(noPermit.orElse(""));
        }
        nodes.put(request.getNode().getNodeId(), request.getNode());
        for (RangeDescriptor range : ranges) {
            List<Node> members =
                    range.members().stream()
                            .map(id -> nodes.get(id.value()))
                            .filter(Objects::nonNull)
                            .toList();
            boolean shown =
                    request.getReplicasList().stream()
                            .anyMatch(each -> each.getRangeId() == range.rangeId().value());
            if (!shown && members.size() == range.members().size()) {
                ordersGiven.incrementAndGet();
                answer.addOrders(
                        Order.newBuilder()
                                .setHostReplica(
                                        HostReplica.newBuilder()
                                                .setRange(DescriptorCodec.toProto(range))
                                                .addAllMembers(members)));
            }
        }
        response.onNext(answer.build());
        response.onCompleted();
    }
}

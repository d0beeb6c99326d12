package io.parterre.server;

import io.grpc.stub.StreamObserver;
import io.parterre.proto.manager.HeartbeatRequest;
import io.parterre.proto.manager.HeartbeatResponse;
import io.parterre.proto.manager.HostReplica;
import io.parterre.proto.manager.ManagerServiceGrpc;
import io.parterre.proto.manager.Order;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.RangeDescriptor;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Orders every node that reports to hold fixed ranges alone, until its report shows them. */
final class FakeManager extends ManagerServiceGrpc.ManagerServiceImplBase {
    private final String clusterId;
    private final List<RangeDescriptor> ranges;
    private final List<HeartbeatRequest> reports = new CopyOnWriteArrayList<>();

    FakeManager(String clusterId, List<RangeDescriptor> ranges) {
        this.clusterId = clusterId;
        this.ranges = ranges;
    }

    List<HeartbeatRequest> reports() {
        return reports;
    }

    @Override
    public void heartbeat(HeartbeatRequest request, StreamObserver<HeartbeatResponse> response) {
        reports.add(request);
        HeartbeatResponse.Builder answer = HeartbeatResponse.newBuilder().setClusterId(clusterId);
        for (RangeDescriptor range : ranges) {
            boolean shown =
                    request.getReplicasList().stream()
                            .anyMatch(each -> each.getRangeId() == range.rangeId().value());
            if (!shown) {
                answer.addOrders(
                        Order.newBuilder()
                                .setHostReplica(
                                        HostReplica.newBuilder()
                                                .setRange(DescriptorCodec.toProto(range))
                                                .addMembers(request.getNode())));
            }
        }
        response.onNext(answer.build());
        response.onCompleted();
    }
}

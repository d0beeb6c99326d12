package io.parterre.manager.rpc;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.parterre.manager.lead.LeaderService;
import io.parterre.manager.map.LevelsCodec;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.plan.request.StopIntent;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.secret.KeyRing;
import io.parterre.proto.manager.ConfirmMapRequest;
import io.parterre.proto.manager.ConfirmMapResponse;
import io.parterre.proto.manager.HeartbeatRequest;
import io.parterre.proto.manager.HeartbeatResponse;
import io.parterre.proto.manager.LeaseObjectIdsRequest;
import io.parterre.proto.manager.LeaseObjectIdsResponse;
import io.parterre.proto.manager.ManagerServiceGrpc;
import io.parterre.proto.manager.MapUpdate;
import io.parterre.proto.manager.WatchRequest;
import io.parterre.release.FeatureLevels;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The service for nodes and front ends. Never blocks the calling thread, so it may be served on a
 * direct executor.
 */
public final class PartitionManagerService extends ManagerServiceGrpc.ManagerServiceImplBase {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionManagerService.class);

    private final LeaderService lead;
    private final MapUpdates updates;

    /**
     * Creates the service.
     *
     * @param keys decrypts accounts' keys for front ends
     */
    public PartitionManagerService(LeaderService lead, KeyRing keys) {
        this.lead = lead;
        this.updates = new MapUpdates(keys);
    }

    @Override
    public void watch(WatchRequest request, StreamObserver<MapUpdate> responses) {
        ServerCallStreamObserver<MapUpdate> stream =
                (ServerCallStreamObserver<MapUpdate>) responses;
        WatchStream watcher;
        try {
            watcher = new WatchStream(request, stream, updates);
        } catch (IllegalArgumentException e) {
            responses.onError(ManagerAnswers.invalid(e));
            return;
        }
        stream.setOnReadyHandler(() -> lead.ready(watcher));
        stream.setOnCancelHandler(() -> lead.unwatch(watcher));
        LOG.debug("map is watched watcher={}", watcher.name());
        lead.watch(watcher);
    }

    @Override
    public void confirmMap(
            ConfirmMapRequest request, StreamObserver<ConfirmMapResponse> responses) {
        ManagerAnswers.answer(
                lead.confirmed(
                        request.getInstance(),
                        request.getVersion(),
                        request.getClusterId(),
                        request.getLeaving()),
                version -> ConfirmMapResponse.newBuilder().setVersion(version).build(),
                responses);
    }

    @Override
    public void heartbeat(HeartbeatRequest request, StreamObserver<HeartbeatResponse> responses) {
        NodeReport report;
        Optional<FeatureLevels> levels;
        StopIntent intent;
        try {
            report = ReportCodec.fromProto(request);
            levels = LevelsCodec.fromProto(request.hasFeatureLevels(), request.getFeatureLevels());
            intent = ReportCodec.intent(request);
        } catch (IllegalArgumentException e) {
            responses.onError(ManagerAnswers.invalid(e));
            return;
        }
        ManagerAnswers.answer(
                lead.heartbeat(
                        report,
                        levels,
                        ReportCodec.clock(request),
                        intent,
                        request.getLeadAskedFor()),
                ReportCodec::toProto,
                responses);
    }

    @Override
    public void leaseObjectIds(
            LeaseObjectIdsRequest request, StreamObserver<LeaseObjectIdsResponse> responses) {
        MapCommand.LeaseObjectIds command;
        try {
            command = new MapCommand.LeaseObjectIds(request.getCount());
        } catch (IllegalArgumentException e) {
            responses.onError(ManagerAnswers.invalid(e));
            return;
        }
        ManagerAnswers.answer(
                lead.leaseObjectIds(command),
                leased ->
                        LeaseObjectIdsResponse.newBuilder()
                                .setFirst(leased.first().value())
                                .setCount(leased.count())
                                .build(),
                responses);
    }
}

package io.parterre.manager.rpc;

import io.parterre.manager.plan.request.HeldReplica;
import io.parterre.manager.plan.request.RangeRecovery;
import io.parterre.manager.plan.request.Verdict;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonText;
import io.parterre.proto.admin.HeldLog;
import io.parterre.proto.admin.RecoverRangeResponse;
import io.parterre.range.NodeId;
import java.util.Optional;

/** Converts what is known of a range without a majority to a message. Stateless and thread-safe. */
final class RecoveryCodec {
    private RecoveryCodec() {}

    static RecoverRangeResponse toProto(ClusterView view, RangeRecovery.Survey survey) {
        RecoverRangeResponse.Builder answer =
                RecoverRangeResponse.newBuilder()
                        .setStatus(StatusCodec.range(view, survey.range()))
                        .setSurvivor(survey.survivor().map(NodeId::value).orElse(""))
                        .addAllLosses(survey.losses());
        for (HeldReplica replica : survey.replicas()) {
            answer.addReplicas(replica(view, replica));
        }
        if (survey.verdict() instanceof Verdict.Do done) {
            answer.addAllEffects(ReasonText.all(done.effects()));
        } else if (survey.verdict() instanceof Verdict.Refuse refused) {
            answer.setRefusal(ReasonText.of(refused.why()));
        }
        return answer.build();
    }

    private static io.parterre.proto.admin.HeldReplica replica(
            ClusterView view, HeldReplica replica) {
        io.parterre.proto.admin.HeldReplica.Builder held =
                io.parterre.proto.admin.HeldReplica.newBuilder()
                        .setNodeId(replica.nodeId().value())
                        .setLiveness(StatusCodec.liveness(replica.liveness()))
                        .setMember(replica.member())
                        .setUnfit(replica.unfit().map(Reason::toString).orElse(""));
        view.lastHeard(replica.nodeId())
                .ifPresent(at -> held.setSilentMillis(StatusCodec.millis(at, view.now())));
        replica.replica().ifPresent(each -> held.setLog(log(each)));
        return held.build();
    }

    private static HeldLog log(NodeReport.Replica replica) {
        Optional<NodeReport.LogEnd> log = replica.log();
        return HeldLog.newBuilder()
                .setGeneration(replica.generation().value())
                .setAppliedTerm(log.map(NodeReport.LogEnd::appliedTerm).orElse(0L))
                .setAppliedIndex(replica.appliedIndex())
                .setLastTerm(log.map(NodeReport.LogEnd::lastTerm).orElse(0L))
                .setLastIndex(log.map(NodeReport.LogEnd::lastIndex).orElse(0L))
                .build();
    }
}

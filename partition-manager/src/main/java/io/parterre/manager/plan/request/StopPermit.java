package io.parterre.manager.plan.request;

import io.parterre.manager.map.DisruptionLease;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Liveness;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Decides about the disruption permit of servers that stop by themselves. A server gets the permit
 * at its request by the rules of an operator's request. The permit is returned once another process
 * of the server has caught up. Only operators return a permit that an operator took. Stateless and
 * thread-safe.
 */
public final class StopPermit {
    private StopPermit() {}

    /**
     * The decision that follows from a server's report.
     *
     * @param command must be applied before the answer is valid; empty if nothing changes
     * @param effects of the command
     */
    public record Decision(
            Optional<MapCommand> command, List<Reason> effects, PermitAnswer answer) {
        public Decision {
            effects = List.copyOf(effects);
        }

        private static Decision answer(PermitAnswer answer) {
            return new Decision(Optional.empty(), List.of(), answer);
        }
    }

    public static Decision decide(ClusterView view, NodeId nodeId, StopIntent intent) {
        Optional<DisruptionLease> held =
                view.permitHolder()
                        .filter(nodeId::equals)
                        .flatMap(holder -> view.map().disruptionLease());
        if (intent.permitFor().isPresent()) {
            return held.filter(lease -> covers(lease, intent.process())).isPresent()
                    ? Decision.answer(PermitAnswer.HELD)
                    : take(view, nodeId, intent.process(), intent.permitFor().get());
        }
        boolean due =
                held.flatMap(DisruptionLease::process)
                                // A report that was sent before the process stopped may arrive
                                // late.
                                .filter(process -> !process.equals(intent.process()))
                                .isPresent()
                        && hasCaughtUp(view, nodeId);
        return due
                ? new Decision(
                        Optional.of(new MapCommand.ReturnDisruptionLease(nodeId)),
                        List.of(ReasonCode.NODE_RETURNS_PERMIT.of(nodeId)),
                        PermitAnswer.NOT_ASKED)
                : Decision.answer(PermitAnswer.NOT_ASKED);
    }

    /**
     * Returns whether the permit covers this process. A permit that an earlier process took may be
     * about to end and is taken again.
     */
    private static boolean covers(DisruptionLease lease, String process) {
        return lease.process().isEmpty() || lease.process().get().equals(process);
    }

    private static Decision take(ClusterView view, NodeId nodeId, String process, Duration length) {
        Verdict verdict =
                OperatorRequests.takeDisruptionLease(
                        view, nodeId, length, DisruptionLease.reasonOf(process));
        if (verdict instanceof Verdict.Do taken) {
            return new Decision(
                    taken.commands().stream().findFirst(), taken.effects(), PermitAnswer.HELD);
        }
        return Decision.answer(PermitAnswer.refused(verdict.hindrance().orElseThrow().toString()));
    }

    /**
     * Returns whether the server meets what is required of the other members when a server stops.
     */
    private static boolean hasCaughtUp(ClusterView view, NodeId nodeId) {
        return view.liveness(nodeId) == Liveness.UP
                && view.map().ranges().onNode(nodeId).stream()
                        .allMatch(rangeId -> view.keepsUp(rangeId, nodeId));
    }
}

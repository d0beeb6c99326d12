package io.parterre.manager.lead;

import io.parterre.manager.map.JournalEntry;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapOutcome;
import io.parterre.manager.plan.explain.JournalNotes;
import io.parterre.manager.plan.request.PermitAnswer;
import io.parterre.manager.plan.request.StopIntent;
import io.parterre.manager.plan.request.StopPermit;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.reason.Reason;
import io.parterre.range.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Grants and revokes the disruption permits of servers that stop by themselves, see {@link
 * StopPermit}. Confined to the loop's thread.
 */
final class StopPermits {
    private static final Logger LOG = LoggerFactory.getLogger(StopPermits.class);

    private record Asked(String process, Instant since) {}

    private final Supplier<ClusterView> view;
    private final Function<MapCommand, CompletableFuture<MapOutcome>> propose;
    private final PartitionManagerMetrics metrics;
    private final Executor loop;

    /** The process that waits for the permit; at most one for each node. */
    private final Map<NodeId, Asked> waiting = new HashMap<>();

    StopPermits(
            Supplier<ClusterView> view,
            Function<MapCommand, CompletableFuture<MapOutcome>> propose,
            PartitionManagerMetrics metrics,
            Executor loop) {
        this.view = view;
        this.propose = propose;
        this.metrics = metrics;
        this.loop = loop;
    }

    /**
     * Takes what a node's report says of its process. The answer completes on the loop, once its
     * command is in the map.
     */
    CompletableFuture<PermitAnswer> heard(NodeId nodeId, StopIntent intent) {
        ClusterView now = view.get();
        StopPermit.Decision decision = StopPermit.decide(now, nodeId, intent);
        if (decision.command().isEmpty()) {
            noteWait(nodeId, intent, decision.answer(), now.now());
            return CompletableFuture.completedFuture(decision.answer());
        }
        LOG.info("disruption permit changes nodeId={} effects={}", nodeId, decision.effects());
        MapCommand noted =
                JournalNotes.noted(
                        decision.command().get(),
                        JournalEntry.Kind.DECIDED,
                        now.now(),
                        Reason.all(decision.effects()));
        return propose.apply(noted)
                .thenApplyAsync(outcome -> answer(nodeId, intent, decision, outcome), loop);
    }

    private PermitAnswer answer(
            NodeId nodeId, StopIntent intent, StopPermit.Decision decision, MapOutcome outcome) {
        PermitAnswer answer =
                outcome instanceof MapOutcome.Refused refused
                        ? PermitAnswer.refused(refused.reason().toString())
                        : decision.answer();
        Instant now = view.get().now();
        if (answer.held()) {
            Asked asked = waiting.get(nodeId);
            metrics.permitWaited(
                    asked == null ? Duration.ZERO : Duration.between(asked.since(), now));
        }
        noteWait(nodeId, intent, answer, now);
        return answer;
    }

    private void noteWait(NodeId nodeId, StopIntent intent, PermitAnswer answer, Instant now) {
        if (intent.permitFor().isEmpty() || answer.held()) {
            waiting.remove(nodeId);
            return;
        }
        Asked asked = waiting.get(nodeId);
        if (asked == null || !asked.process().equals(intent.process())) {
            waiting.put(nodeId, new Asked(intent.process(), now));
        }
    }
}

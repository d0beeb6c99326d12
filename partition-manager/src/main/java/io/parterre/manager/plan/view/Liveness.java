package io.parterre.manager.plan.view;

import io.parterre.manager.plan.policy.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Whether a node is alive, judged by its silence alone. */
public enum Liveness {
    /** The node reports. */
    UP,
    /** Silent for seconds: the node gets nothing new and nothing is taken from it. */
    SUSPECT,
    /** Silent for minutes: the node's replicas are rebuilt elsewhere. */
    DEAD;

    /**
     * Judges a node.
     *
     * @param lastHeard by this leader; a node that this leader never heard is suspect, and counts
     *     as silent since leadership began
     */
    public static Liveness of(
            Optional<Instant> lastHeard, Instant leadSince, Instant now, Policy policy) {
        Duration silent = Duration.between(lastHeard.orElse(leadSince), now);
        if (silent.compareTo(policy.deadAfter()) >= 0) {
            return DEAD;
        }
        return lastHeard.isEmpty() || silent.compareTo(policy.suspectAfter()) >= 0 ? SUSPECT : UP;
    }
}

package io.parterre.manager.plan.view;

import io.parterre.manager.plan.policy.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Whether a node is there, judged by its silence alone. */
public enum Liveness {
    /** It reports. */
    UP,
    /** Silent for seconds: nothing new is given to it, nothing is taken from it. */
    SUSPECT,
    /** Silent for minutes: its replicas are rebuilt elsewhere. */
    DEAD;

    /**
     * Judges a node.
     *
     * @param lastHeard by this leader; a node it never heard is not vouched for, and is silent
     *     since leadership began
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

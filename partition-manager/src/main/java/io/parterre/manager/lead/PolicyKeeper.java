package io.parterre.manager.lead;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapOutcome;
import io.parterre.manager.map.PolicyValues;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.policy.PolicyTable;
import io.parterre.manager.plan.request.PolicyRequests;
import io.parterre.manager.plan.view.ClusterView;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the policy in force. The map's values count. This manager's configuration only fills in
 * keys that the map lacks, and the leading manager adds these to the map. Confined to the loop's
 * thread.
 */
final class PolicyKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyKeeper.class);

    private final Policy configured;
    private final String by;
    private final Function<MapCommand, CompletableFuture<MapOutcome>> propose;
    private final Executor loop;
    private PolicyValues read = ClusterMap.EMPTY.policy();
    private Policy inForce;
    private boolean proposing;

    /**
     * Creates a keeper.
     *
     * @param configured this manager's configured policy
     * @param by source of the configured policy, for people
     */
    PolicyKeeper(
            Policy configured,
            String by,
            Function<MapCommand, CompletableFuture<MapOutcome>> propose,
            Executor loop) {
        this.configured = configured;
        this.by = by;
        this.propose = propose;
        this.loop = loop;
        this.inForce = configured;
    }

    @SuppressWarnings("ReferenceEquality") // Cached: each call asks, and it rarely changes.
    Policy inForce(ClusterMap map) {
        if (map.policy() != read) {
            read = map.policy();
            inForce = PolicyTable.read(configured, read.values());
        }
        return inForce;
    }

    /** This manager leads from now on. */
    void begins(ClusterMap map) {
        if (map.policy().version() > 0) {
            PolicyTable.changes(configured, inForce(map))
                    .forEach(
                            change ->
                                    LOG.info(
                                            "configured policy is not in force, that of the cluster is"
                                                    + " change={}",
                                            change));
        }
    }

    /** Gives a value to keys that the map lacks. */
    void look(ClusterView view) {
        Optional<MapCommand> missing = PolicyRequests.firstValues(view, configured, by);
        if (proposing || missing.isEmpty()) {
            return;
        }
        proposing = true;
        propose.apply(missing.get())
                .whenCompleteAsync(
                        (outcome, failure) -> {
                            proposing = false;
                            if (failure != null) {
                                LOG.warn(
                                        "policy in doubt, tried again reason={}",
                                        Loop.reason(failure));
                            }
                        },
                        loop);
    }
}

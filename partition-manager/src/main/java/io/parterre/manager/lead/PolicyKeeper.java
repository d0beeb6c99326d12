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
 * The policy that is in force: the map's, and this manager's own settings only where the map has
 * none yet, to which it puts them while it leads. Owned by the loop's thread.
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
     * A keeper.
     *
     * @param configured what this manager is told
     * @param by who tells it, for people
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

    @SuppressWarnings("ReferenceEquality") // Read for each call, and the same for days.
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

    /** Gives values to keys that have none. */
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
                                        LeaderService.reason(failure));
                            }
                        },
                        loop);
    }
}

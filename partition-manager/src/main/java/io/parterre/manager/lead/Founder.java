package io.parterre.manager.lead;

import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapOutcome;
import io.parterre.manager.plan.decide.Founding;
import io.parterre.manager.plan.policy.CopysetPolicy;
import io.parterre.range.NodeId;
import io.parterre.release.FeatureLevel;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the cluster once enough nodes report. Confined to the loop's thread. */
final class Founder {
    private static final Logger LOG = LoggerFactory.getLogger(Founder.class);

    private final Supplier<ClusterMap> map;
    private final int initialReplicas;
    private final Supplier<CopysetPolicy> copysets;
    private final Supplier<ClusterId> newClusterId;
    private final Supplier<CompletableFuture<FeatureLevel>> level;
    private final Function<MapCommand, CompletableFuture<MapOutcome>> propose;
    private final Executor loop;
    private Optional<CompletableFuture<MapOutcome>> founding = Optional.empty();

    /**
     * Creates a founder.
     *
     * @param level finds out the feature level of a new cluster
     */
    Founder(
            Supplier<ClusterMap> map,
            int initialReplicas,
            Supplier<CopysetPolicy> copysets,
            Supplier<ClusterId> newClusterId,
            Supplier<CompletableFuture<FeatureLevel>> level,
            Function<MapCommand, CompletableFuture<MapOutcome>> propose,
            Executor loop) {
        this.map = map;
        this.initialReplicas = initialReplicas;
        this.copysets = copysets;
        this.newClusterId = newClusterId;
        this.level = level;
        this.propose = propose;
        this.loop = loop;
    }

    /** Completes when there is no cluster to create, or the attempt to create it has an outcome. */
    CompletableFuture<?> foundIfDue(Collection<NodeId> live) {
        if (founding.isPresent()) {
            return founding.get();
        }
        Founding.Decision decision =
                Founding.decide(map.get(), live, initialReplicas, copysets.get());
        if (!(decision instanceof Founding.FoundOn on)) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<MapOutcome> proposal =
                level.get().thenComposeAsync(first -> found(on.members(), first), loop);
        founding = Optional.of(proposal);
        return proposal.whenCompleteAsync((outcome, failure) -> founding = Optional.empty(), loop);
    }

    private CompletableFuture<MapOutcome> found(List<NodeId> members, FeatureLevel first) {
        LOG.info("cluster is founded members={} featureLevel={}", members, first);
        return propose.apply(new MapCommand.FoundCluster(newClusterId.get(), members, first));
    }
}

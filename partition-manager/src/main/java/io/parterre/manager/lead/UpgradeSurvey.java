package io.parterre.manager.lead;

import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.plan.membership.ManagersView;
import io.parterre.manager.plan.request.Upgrade;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Liveness;
import io.parterre.range.NodeId;
import io.parterre.release.Release;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Finds out which release each process of the cluster runs. Confined to the loop's thread.
 *
 * @param release that this manager runs
 * @param otherManagers asks the other managers which release they run
 */
record UpgradeSurvey(
        NodeId self,
        Release release,
        Supplier<CompletableFuture<Map<NodeId, Release>>> otherManagers,
        Supplier<ClusterView> view,
        Supplier<Optional<ManagersView>> managers,
        NodeReports reports,
        WatchHub hub,
        Loop loop) {
    /** Asks the other managers. Completes on the loop. */
    CompletableFuture<Upgrade> take() {
        return otherManagers.get().thenApplyAsync(this::of, loop);
    }

    private Upgrade of(Map<NodeId, Release> others) {
        ClusterView now = view.get();
        List<Upgrade.Member> members = new ArrayList<>();
        for (NodeId manager : managers.get().map(ManagersView::all).orElse(Set.of(self))) {
            Optional<Release> runs =
                    manager.equals(self)
                            ? Optional.of(release)
                            : Optional.ofNullable(others.get(manager));
            members.add(new Upgrade.Member(Upgrade.Role.MANAGER, manager.value(), runs));
        }
        for (ClusterNode node : now.map().nodes()) {
            NodeId nodeId = node.nodeId();
            if (node.state() != NodeState.REMOVED) {
                Optional<Release> runs =
                        now.liveness(nodeId) == Liveness.UP
                                ? reports.release(nodeId)
                                : Optional.empty();
                members.add(new Upgrade.Member(Upgrade.Role.SERVER, nodeId.value(), runs));
            }
        }
        hub.names()
                .forEach(
                        watcher ->
                                members.add(
                                        new Upgrade.Member(
                                                Upgrade.Role.FRONT_END,
                                                watcher.name(),
                                                Optional.of(watcher.release()))));
        return new Upgrade(now.map().featureLevel(), release.levels().newest(), members);
    }
}

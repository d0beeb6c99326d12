package io.parterre.manager.entry;

import io.parterre.manager.map.ClusterManager;
import io.parterre.manager.plan.membership.FirstStart.ManagerReply;
import io.parterre.manager.plan.membership.KeyHolding;
import io.parterre.manager.plan.membership.ManagerStanding;
import io.parterre.range.NodeId;
import io.parterre.release.Release;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The other managers, to be asked how they stand. For one thread; answers come on any. */
public interface Peers extends AutoCloseable {
    /**
     * Introduces a manager to others. Completes within a few seconds, with the answers there are by
     * then, by who gave them.
     *
     * @param addresses of their services
     */
    CompletableFuture<Map<NodeId, ManagerReply>> ask(
            ClusterManager self, ManagerStanding standing, Collection<String> addresses);

    /**
     * What other managers run, in the same way.
     *
     * @param addresses of their services
     */
    CompletableFuture<Map<NodeId, Release>> releases(
            ClusterManager self, ManagerStanding standing, Collection<String> addresses);

    /**
     * Which keys other managers can encrypt keys of accounts with, in the same way.
     *
     * @param addresses of their services
     */
    CompletableFuture<Map<NodeId, KeyHolding>> keyHoldings(
            ClusterManager self, ManagerStanding standing, Collection<String> addresses);

    @Override
    void close();
}

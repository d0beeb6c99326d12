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

/**
 * The other managers, to be asked for their standing. Not thread-safe; answers come on any thread.
 */
public interface Peers extends AutoCloseable {
    /**
     * Introduces a manager to others. Completes within a few seconds, with the answers so far, by
     * the id of the answering manager.
     *
     * @param addresses of their services
     */
    CompletableFuture<Map<NodeId, ManagerReply>> ask(
            ClusterManager self, ManagerStanding standing, Collection<String> addresses);

    /**
     * Asks other managers in the same way which release they run.
     *
     * @param addresses of their services
     */
    CompletableFuture<Map<NodeId, Release>> releases(
            ClusterManager self, ManagerStanding standing, Collection<String> addresses);

    /**
     * Asks other managers in the same way which encryption keys for accounts' keys they hold.
     *
     * @param addresses of their services
     */
    CompletableFuture<Map<NodeId, KeyHolding>> keyHoldings(
            ClusterManager self, ManagerStanding standing, Collection<String> addresses);

    @Override
    void close();
}

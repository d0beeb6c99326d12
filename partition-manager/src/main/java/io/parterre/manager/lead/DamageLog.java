package io.parterre.manager.lead;

import io.parterre.range.NodeId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the state of nodes that cannot use their store when it changes, not with each report.
 * Confined to the loop's thread.
 */
final class DamageLog {
    private static final Logger LOG = LoggerFactory.getLogger(DamageLog.class);

    private final Map<NodeId, Optional<String>> told = new HashMap<>();

    /**
     * Takes the answer to a node's report.
     *
     * @param damage why the node cannot use its store; empty if it can
     * @param rebuildRefusal why the node gets no permission to rebuild its store; empty if it gets
     *     one
     */
    void answered(NodeId nodeId, Optional<String> damage, Optional<String> rebuildRefusal) {
        if (damage.isEmpty()) {
            told.remove(nodeId);
        } else if (!rebuildRefusal.equals(told.put(nodeId, rebuildRefusal))) {
            LOG.warn(
                    "node cannot use its store nodeId={} mayRebuild={} why={} damage={}",
                    nodeId,
                    rebuildRefusal.isEmpty(),
                    rebuildRefusal.orElse("all its ranges are well without it"),
                    damage.get());
        }
    }
}

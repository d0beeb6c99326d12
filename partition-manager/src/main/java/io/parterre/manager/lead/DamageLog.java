package io.parterre.manager.lead;

import io.parterre.range.NodeId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs once what becomes of nodes that cannot use their store, not with each report. Owned by the
 * loop's thread.
 */
final class DamageLog {
    private static final Logger LOG = LoggerFactory.getLogger(DamageLog.class);

    private final Map<NodeId, Optional<String>> told = new HashMap<>();

    /**
     * Of a report.
     *
     * @param damage why the node cannot use its store; empty: it can
     * @param noLeave why it gets no permission to rebuild its store
     */
    void answered(NodeId nodeId, Optional<String> damage, Optional<String> noLeave) {
        if (damage.isEmpty()) {
            told.remove(nodeId);
        } else if (!noLeave.equals(told.put(nodeId, noLeave))) {
            LOG.warn(
                    "node cannot use its store nodeId={} mayRebuild={} why={} damage={}",
                    nodeId,
                    noLeave.isEmpty(),
                    noLeave.orElse("all its ranges are well without it"),
                    damage.get());
        }
    }
}

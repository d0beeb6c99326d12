package io.parterre.frontend.client;

import io.parterre.range.NodeId;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Nodes that left a request without an answer lately: where others can be asked, each would cost
 * every read the time until it is given up. Holds no more than the nodes of the cluster that ever
 * fell silent. Safe for any thread.
 */
final class SilentNodes {
    /** Then one read finds out whether it is back. */
    private static final long MEMORY_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final LongSupplier nanos;
    private final Map<NodeId, Long> since = new ConcurrentHashMap<>();

    SilentNodes(LongSupplier nanos) {
        this.nanos = nanos;
    }

    void silent(NodeId node) {
        since.put(node, nanos.getAsLong());
    }

    void answered(NodeId node) {
        if (!since.isEmpty()) {
            since.remove(node);
        }
    }

    Set<NodeId> now() {
        if (since.isEmpty()) {
            return Set.of();
        }
        long now = nanos.getAsLong();
        since.values().removeIf(at -> now - at > MEMORY_NANOS);
        return since.keySet().stream().collect(Collectors.toUnmodifiableSet());
    }
}

package io.parterre.frontend.client;

import io.parterre.range.NodeId;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Nodes that recently left a request without an answer. Where others can be asked, each silent node
 * would cost every read the time until the attempt is given up. Holds at most the nodes of the
 * cluster that were ever silent. Thread-safe.
 */
final class SilentNodes {
    /** After this time one read finds out whether the node answers again. */
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

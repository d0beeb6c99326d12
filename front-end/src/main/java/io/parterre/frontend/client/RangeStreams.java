package io.parterre.frontend.client;

import io.parterre.frontend.route.RangeMap;
import io.parterre.proto.range.RangeRequest;
import io.parterre.range.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/** The streams to all nodes, created as they are needed. Thread-safe. */
final class RangeStreams implements AutoCloseable {
    private final ChannelFactory channels;
    private final ClusterClientConfig config;
    private final LongSupplier nanos;
    private final Map<NodeId, NodeStreams> nodes = new ConcurrentHashMap<>();

    // Guarded by this.
    private boolean closed;

    RangeStreams(ChannelFactory channels, ClusterClientConfig config, LongSupplier nanos) {
        this.channels = channels;
        this.config = config;
        this.nanos = nanos;
    }

    /**
     * Sends a request, unless the node's limit of requests in flight is reached.
     *
     * @param home executor on which the listener is called
     * @return false if the request was refused; then the listener is not called
     */
    boolean send(
            NodeId nodeId,
            String address,
            RangeRequest message,
            long deadlineNanos,
            Executor home,
            OutboundRequest.Listener listener) {
        Optional<NodeStreams> node = node(nodeId, address);
        Optional<NodeStream> stream = node.flatMap(NodeStreams::stream);
        if (stream.isEmpty()) {
            home.execute(() -> listener.unanswered(false));
            return true;
        }
        NodeLoad load = node.get().load();
        if (!load.tryAdd(message.getSerializedSize())) {
            return false;
        }
        stream.get()
                .send(
                        new OutboundRequest(
                                message, nanos.getAsLong(), deadlineNanos, home, listener, load),
                        home);
        return true;
    }

    /**
     * Returns whether the stream of this thread has waited for the node in vain and nothing has
     * arrived since.
     */
    boolean isSilent(NodeId nodeId) {
        NodeStreams known = nodes.get(nodeId);
        return known != null && known.isSilent();
    }

    private Optional<NodeStreams> node(NodeId nodeId, String address) {
        NodeStreams known = nodes.get(nodeId);
        return known != null && known.address().equals(address)
                ? Optional.of(known)
                : replace(nodeId, address);
    }

    private Optional<NodeStreams> replace(NodeId nodeId, String address) {
        NodeStreams replaced;
        NodeStreams opened;
        synchronized (this) {
            replaced = nodes.get(nodeId);
            if (replaced != null && replaced.address().equals(address)) {
                return Optional.of(replaced);
            }
            if (closed) {
                return Optional.empty();
            }
            opened = new NodeStreams(nodeId, address, channels, config, nanos);
            nodes.put(nodeId, opened);
        }
        // Not under our lock, because requests that this ends may be retried on this thread.
        if (replaced != null) {
            replaced.close();
        }
        return Optional.of(opened);
    }

    /** Closes the streams to nodes that are gone. */
    void retain(Map<NodeId, String> addresses) {
        List<NodeStreams> gone = new ArrayList<>();
        synchronized (this) {
            for (NodeId nodeId : List.copyOf(nodes.keySet())) {
                if (!addresses.containsKey(nodeId)) {
                    gone.add(nodes.remove(nodeId));
                }
            }
        }
        gone.forEach(NodeStreams::close);
    }

    /**
     * Gives up every request that has timed out, or whose node is silent and does not lead. Called
     * a few times a second.
     */
    void expire(RangeMap map) {
        long now = nanos.getAsLong();
        nodes.forEach(
                (nodeId, node) -> node.expire(now, range -> map.isLedElsewhere(range, nodeId)));
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        retain(Map.of());
    }
}

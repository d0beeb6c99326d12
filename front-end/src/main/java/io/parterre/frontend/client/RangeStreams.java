package io.parterre.frontend.client;

import io.grpc.ManagedChannel;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeServiceGrpc;
import io.parterre.range.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/** The streams to all nodes, made as they are needed. Safe for any thread. */
final class RangeStreams implements AutoCloseable {
    private final ChannelFactory channels;
    private final ClusterClientConfig config;
    private final LongSupplier nanos;
    private final Map<NodeId, Node> nodes = new ConcurrentHashMap<>();

    // Guarded by this.
    private boolean closed;

    RangeStreams(ChannelFactory channels, ClusterClientConfig config, LongSupplier nanos) {
        this.channels = channels;
        this.config = config;
        this.nanos = nanos;
    }

    private final class Node {
        private final String address;
        private final ManagedChannel channel;
        private final NodeLoad load = new NodeLoad(config.nodeRequestsMax(), config.nodeBytesMax());
        private final List<NodeStream> streams;

        Node(NodeId nodeId, String address) {
            this.address = address;
            this.channel = channels.open(nodeId, address);
            this.streams =
                    IntStream.range(0, config.streamsPerNode())
                            .mapToObj(
                                    index ->
                                            new NodeStream(
                                                    nodeId.value(),
                                                    RangeServiceGrpc.newStub(channel),
                                                    config,
                                                    nanos))
                            .toList();
        }

        /** Event loops are few and numbered in a row, so each mostly has a stream of its own. */
        NodeStream stream() {
            return streams.get((int) (Thread.currentThread().getId() % streams.size()));
        }

        void close() {
            streams.forEach(NodeStream::close);
            channel.shutdownNow();
        }
    }

    /**
     * Sends a request, if no more than may be is under way to that node.
     *
     * @param home where the listener is called
     * @return false: refused, and the listener will not hear of it
     */
    boolean send(
            NodeId nodeId,
            String address,
            RangeRequest message,
            long deadlineNanos,
            Executor home,
            OutboundRequest.Listener listener) {
        Optional<Node> open = node(nodeId, address);
        if (open.isEmpty()) {
            home.execute(() -> listener.unanswered(false));
            return true;
        }
        Node node = open.get();
        if (!node.load.tryAdd(message.getSerializedSize())) {
            return false;
        }
        OutboundRequest request =
                new OutboundRequest(message, deadlineNanos, home, listener, node.load);
        node.stream().send(request, home);
        return true;
    }

    /** Whether the stream that this thread uses has waited for the node in vain, and still does. */
    boolean isSilent(NodeId nodeId) {
        Node known = nodes.get(nodeId);
        return known != null && known.stream().isSilent();
    }

    private Optional<Node> node(NodeId nodeId, String address) {
        Node known = nodes.get(nodeId);
        return known != null && known.address.equals(address)
                ? Optional.of(known)
                : replace(nodeId, address);
    }

    private Optional<Node> replace(NodeId nodeId, String address) {
        Node replaced;
        Node opened;
        synchronized (this) {
            replaced = nodes.get(nodeId);
            if (replaced != null && replaced.address.equals(address)) {
                return Optional.of(replaced);
            }
            if (closed) {
                return Optional.empty();
            }
            opened = new Node(nodeId, address);
            nodes.put(nodeId, opened);
        }
        // Not under our lock: requests that end by it may go on here.
        if (replaced != null) {
            replaced.close();
        }
        return Optional.of(opened);
    }

    /** Closes the streams to nodes that are gone. */
    void retain(Map<NodeId, String> addresses) {
        List<Node> gone = new ArrayList<>();
        synchronized (this) {
            for (NodeId nodeId : List.copyOf(nodes.keySet())) {
                if (!addresses.containsKey(nodeId)) {
                    gone.add(nodes.remove(nodeId));
                }
            }
        }
        gone.forEach(Node::close);
    }

    /** Gives up every request whose time has ended. Called a few times a second. */
    void expire() {
        long now = nanos.getAsLong();
        nodes.values().forEach(node -> node.streams.forEach(stream -> stream.expire(now)));
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        retain(Map.of());
    }
}

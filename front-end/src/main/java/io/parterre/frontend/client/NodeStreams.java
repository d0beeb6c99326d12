package io.parterre.frontend.client;

import io.grpc.ManagedChannel;
import io.parterre.proto.range.RangeServiceGrpc;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The streams to one node, each with its own connection, opened by the thread that needs it first.
 * Thread-safe.
 */
final class NodeStreams {
    private final NodeId nodeId;
    private final String address;
    private final ChannelFactory channels;
    private final ClusterClientConfig config;
    private final LongSupplier nanos;
    private final NodeLoad load;
    private final AtomicReferenceArray<Line> lines;

    // Guarded by this.
    private boolean closed;

    NodeStreams(
            NodeId nodeId,
            String address,
            ChannelFactory channels,
            ClusterClientConfig config,
            LongSupplier nanos) {
        this.nodeId = nodeId;
        this.address = address;
        this.channels = channels;
        this.config = config;
        this.nanos = nanos;
        this.load = new NodeLoad(config.nodeRequestsMax(), config.nodeBytesMax());
        this.lines = new AtomicReferenceArray<>(config.streamsPerNode());
    }

    private record Line(ManagedChannel channel, NodeStream stream) {
        void close() {
            stream.close();
            channel.shutdownNow();
        }
    }

    String address() {
        return address;
    }

    NodeLoad load() {
        return load;
    }

    /** Returns the stream of the calling thread; empty once closed. */
    Optional<NodeStream> stream() {
        Line open = lines.get(index());
        return open != null ? Optional.of(open.stream()) : open();
    }

    /** Event loops are few and have consecutive thread ids, so each mostly has its own stream. */
    private int index() {
        return (int) (Thread.currentThread().getId() % lines.length());
    }

    private synchronized Optional<NodeStream> open() {
        if (closed) {
            return Optional.empty();
        }
        int index = index();
        if (lines.get(index) == null) {
            ManagedChannel channel = channels.open(nodeId, address);
            NodeStream stream =
                    new NodeStream(
                            nodeId.value(), RangeServiceGrpc.newStub(channel), config, nanos);
            lines.set(index, new Line(channel, stream));
        }
        return Optional.of(lines.get(index).stream());
    }

    /**
     * Returns whether the stream of this thread has waited for the node in vain and nothing has
     * arrived since.
     */
    boolean isSilent() {
        Line open = lines.get(index());
        return open != null && open.stream().isSilent();
    }

    void expire(long nowNanos, Predicate<RangeId> ledElsewhere) {
        opened().forEach(line -> line.stream().expire(nowNanos, ledElsewhere));
    }

    void close() {
        synchronized (this) {
            closed = true;
        }
        // Not under our lock, because requests that this ends may be retried on this thread.
        opened().forEach(Line::close);
    }

    private Stream<Line> opened() {
        return IntStream.range(0, lines.length()).mapToObj(lines::get).filter(Objects::nonNull);
    }
}

package io.parterre.server;

import io.grpc.BindableService;
import io.grpc.Channel;
import io.micrometer.core.instrument.MeterRegistry;
import io.parterre.range.NodeId;
import io.parterre.server.store.StoreFailure;
import java.io.IOException;
import java.time.InstantSource;
import java.util.function.Consumer;

/** A running partition server: its store, its replicas and its talk with the manager. */
public final class PartitionServer implements AutoCloseable {
    /** Largest message of the RangeService; whoever serves or calls it has to allow this much. */
    public static final int MESSAGE_BYTES_MAX = 8 << 20;

    private PartitionServer() {}

    /**
     * Opens the data folder, restores its replicas and starts reporting to the manager.
     *
     * @param manager channel to the partition manager; stays the caller's
     * @param onFailure told at most once, from any thread, when the node must stop
     * @throws IOException if the data folder cannot be opened, with the reason
     */
    public static PartitionServer start(
            PartitionServerConfig config,
            Channel manager,
            InstantSource clock,
            MeterRegistry meters,
            Consumer<StoreFailure> onFailure)
            throws IOException {
        throw new UnsupportedOperationException("under construction");
    }

    /** The node's lasting name. */
    public NodeId nodeId() {
        throw new UnsupportedOperationException("under construction");
    }

    /** host:port its Raft server is reached by. */
    public String raftAddress() {
        throw new UnsupportedOperationException("under construction");
    }

    /** The RangeService, to be served on any gRPC transport. */
    public BindableService rangeService() {
        throw new UnsupportedOperationException("under construction");
    }

    /** Stops taking requests, writes what is in memory to disk and closes everything. */
    @Override
    public void close() {
        throw new UnsupportedOperationException("under construction");
    }
}

package io.parterre.server;

import io.opentelemetry.api.trace.Tracer;
import io.parterre.crash.CrashHook;
import io.parterre.endpoint.ManagerEndpoints;
import io.parterre.range.NodeId;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.rpc.NodeChannels;
import io.parterre.server.store.DataFolder;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The outside dependencies and the data folder that the parts of a partition server share.
 *
 * @param tracer makes spans of requests whose senders have some
 * @param nanoTicker monotonic time in nanoseconds, by which the node measures waits
 */
record Wiring(
        PartitionServerConfig config,
        DataFolder folder,
        KeptLevel level,
        ManagerEndpoints managers,
        NodeChannels nodes,
        InstantSource clock,
        LongSupplier nanoTicker,
        PartitionServerMetrics metrics,
        Tracer tracer,
        CrashHook<CrashPoint> crash,
        SpaceSource space) {
    NodeId nodeId() {
        return folder.identity().nodeId();
    }

    /** Returns the host:port that the node's Raft server is to listen on. */
    String raftAddress() {
        return config.raft().host() + ":" + config.raft().port();
    }
}

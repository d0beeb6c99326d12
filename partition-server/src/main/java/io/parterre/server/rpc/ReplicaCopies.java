package io.parterre.server.rpc;

import io.grpc.StatusException;
import io.grpc.stub.StreamObserver;
import io.parterre.proto.node.CopyPart;
import io.parterre.proto.node.CopyReplicaRequest;
import io.parterre.server.copy.ReplicaCopy;
import io.parterre.server.metrics.CopyEnd;
import io.parterre.server.metrics.CopyMeter;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.node.Replicas;
import io.parterre.server.raft.Replica;
import java.io.IOException;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends copies of replicas to other nodes, each copy on a thread of its own. Safe for any thread.
 */
final class ReplicaCopies implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaCopies.class);

    private final Replicas replicas;
    private final CopyMeter meter;
    private final CopySends sends;

    ReplicaCopies(
            CopyConfig config,
            Replicas replicas,
            PartitionServerMetrics metrics,
            LongSupplier nanoTicker) {
        this.replicas = replicas;
        this.meter = metrics.copiesSent();
        this.sends =
                new CopySends(
                        "copies", "replica-copy", config.copiesMax(), config, meter, nanoTicker);
    }

    /**
     * Sends the copy on a thread of its own and ends the stream, with an error if there is no whole
     * copy. Does not block.
     */
    void send(CopyReplicaRequest request, StreamObserver<CopyPart> observer) {
        Replica replica;
        try {
            replica = LedReplicas.require(replicas, request.getRangeId());
        } catch (StatusException notLed) {
            meter.refused(CopyEnd.NOT_LEADER);
            observer.onError(notLed);
            return;
        }
        sends.send(
                observer,
                List.of(),
                stream -> send(request, replica, stream),
                enough -> LOG.debug("copy refused rangeId={}", request.getRangeId(), enough),
                failure ->
                        LOG.info(
                                "copy of replica not sent rangeId={} to={}",
                                request.getRangeId(),
                                request.getNodeId(),
                                failure));
    }

    private static void send(CopyReplicaRequest request, Replica replica, CopyStream stream)
            throws IOException {
        try (ReplicaCopy copy = replica.openCopy(request.getNodeId())) {
            long rows = stream.send(copy);
            stream.complete();
            LOG.info(
                    "copy of replica sent rangeId={} to={} appliedIndex={} rows={}",
                    request.getRangeId(),
                    request.getNodeId(),
                    copy.applied().index(),
                    rows);
        }
    }

    /** Ends the copies under way; their receivers ask another leader. */
    @Override
    public void close() {
        if (!sends.end()) {
            LOG.warn("a copy still runs at close");
        }
    }
}

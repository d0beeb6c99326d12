package io.parterre.server;

import io.parterre.server.node.Replicas;
import io.parterre.server.rpc.NodeServer;
import io.parterre.server.rpc.RangeServer;
import io.parterre.server.rpc.ReplicaDigests;
import io.parterre.server.store.ServerStore;

/** The services of an open node. Safe for any thread. */
final class NodeServices {
    private final RangeServer ranges;
    private final ReplicaDigests digests;
    private final NodeServer node;

    NodeServices(Wiring wiring, ServerStore rows, Replicas hosted, ServerThreads threads) {
        PartitionServerConfig config = wiring.config();
        ranges =
                new RangeServer(
                        config.rpc(),
                        hosted,
                        rows,
                        threads.workers(),
                        threads.timer(),
                        wiring.metrics(),
                        wiring.tracer(),
                        wiring.nanoTicker());
        digests =
                new ReplicaDigests(
                        config.compare(),
                        hosted,
                        config.version(),
                        threads.timer(),
                        wiring.metrics(),
                        wiring.nanoTicker());
        node =
                new NodeServer(
                        config.copy(),
                        hosted,
                        rows,
                        threads.timer(),
                        threads.upkeep(),
                        digests,
                        wiring.metrics(),
                        wiring.level().known(),
                        wiring.clock(),
                        wiring.nanoTicker());
    }

    RangeServer ranges() {
        return ranges;
    }

    NodeServer node() {
        return node;
    }

    ReplicaDigests digests() {
        return digests;
    }

    /** Ends the services. If not orderly, they end as in a process that is killed. */
    void close(boolean orderly) {
        if (orderly) {
            ranges.close();
        } else {
            ranges.abandon();
        }
        node.close();
        digests.close();
    }
}

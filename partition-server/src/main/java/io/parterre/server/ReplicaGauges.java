package io.parterre.server;

import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.node.Replicas;

/** Gauges of a node's replicas, computed whenever the metrics are read. */
final class ReplicaGauges {
    private ReplicaGauges() {}

    static void register(Replicas hosted, PartitionServerMetrics metrics) {
        metrics.gauge(
                "partition_server_damaged_replicas",
                "Replicas that have to be rebuilt because their log is damaged, or are quarantined",
                hosted,
                held -> held.all().stream().filter(each -> each.damage().isPresent()).count());
        metrics.gauge(
                "partition_server_quarantined_replicas",
                "Replicas that are quarantined because an entry of their log could not be applied",
                hosted,
                held -> held.all().stream().filter(each -> each.quarantine().isPresent()).count());
        metrics.gauge(
                "partition_server_range_clock_ahead_seconds",
                "How far the log time of a range led here is ahead of the server's clock at most",
                hosted,
                held -> held.upkeep().timeAhead().toSeconds());
    }
}

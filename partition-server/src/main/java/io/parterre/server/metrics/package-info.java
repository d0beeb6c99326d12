/**
 * Metrics of the partition server. Safe for any thread. Start with {@link
 * io.parterre.server.metrics.PartitionServerMetrics}.
 */
package io.parterre.server.metrics;

package io.parterre.server;

import io.parterre.disk.DiskSpace;
import io.parterre.proto.manager.HeartbeatRequest;
import io.parterre.proto.manager.Node;
import io.parterre.proto.manager.RefusedMerge;
import io.parterre.proto.manager.RefusedSplit;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.range.RangeId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What nodes have reported to a manager, last and ever. Safe for any thread. */
final class NodeReports {
    private final Map<String, Long> counts = new ConcurrentHashMap<>();
    private final Map<String, HeartbeatRequest> last = new ConcurrentHashMap<>();
    private final Set<String> led = ConcurrentHashMap.newKeySet();
    private final Set<RefusedMerge> everRefused = ConcurrentHashMap.newKeySet();

    void add(HeartbeatRequest report) {
        String node = report.getNode().getNodeId();
        last.put(node, report);
        counts.merge(node, 1L, Long::sum);
        everRefused.addAll(report.getRefusedMergesList());
        report.getReplicasList().stream()
                .filter(ReplicaReport::getLeading)
                .forEach(replica -> led.add(node + " " + replica.getRangeId()));
    }

    private Optional<HeartbeatRequest> report(String node) {
        return Optional.ofNullable(last.get(node));
    }

    /** Those whose last report is known. */
    Set<String> nodes() {
        return last.keySet();
    }

    /** As the node tells of itself. */
    Node node(String node) {
        return last.get(node).getNode();
    }

    /** How many a node has sent so far. */
    long count(String node) {
        return counts.getOrDefault(node, 0L);
    }

    /** Whether a node says that it was told that its clock is ahead. */
    boolean clockToldAhead(String node) {
        return report(node).filter(report -> report.getClockAheadMillis() > 0).isPresent();
    }

    /** Whether a node has led the range since one was given up. */
    boolean hasLed(String node, RangeId rangeId) {
        return led.contains(node + " " + rangeId.value());
    }

    /** Forgets what a node has said. */
    void forget(String node) {
        last.remove(node);
    }

    boolean knows(String node) {
        return last.containsKey(node);
    }

    Optional<ReplicaReport> replica(String node) {
        return report(node).flatMap(report -> report.getReplicasList().stream().findFirst());
    }

    Optional<ReplicaReport> replica(String node, RangeId rangeId) {
        return report(node)
                .flatMap(
                        report ->
                                report.getReplicasList().stream()
                                        .filter(each -> each.getRangeId() == rangeId.value())
                                        .findFirst());
    }

    List<RefusedSplit> refusedSplits(String node) {
        return report(node).map(HeartbeatRequest::getRefusedSplitsList).orElse(List.of());
    }

    List<RefusedMerge> refusedMerges(String node) {
        return report(node).map(HeartbeatRequest::getRefusedMergesList).orElse(List.of());
    }

    /** Whether any report had it, also one that a later report has replaced. */
    boolean hasEverRefused(RangeId leftId, long leftGeneration, RefusedMerge.Reason reason) {
        return everRefused.stream()
                .anyMatch(
                        each ->
                                each.getLeftRangeId() == leftId.value()
                                        && each.getLeftGeneration() == leftGeneration
                                        && each.getReason() == reason);
    }

    /** Whether a node says that its disk does not answer. */
    boolean diskStalled(String node) {
        return report(node).filter(HeartbeatRequest::getDiskStalled).isPresent();
    }

    /** How full its disk is, as the node says. */
    DiskSpace diskSpace(String node) {
        return report(node)
                .map(
                        report ->
                                new DiskSpace(
                                        report.getDiskUsableBytes(), report.getDiskTotalBytes()))
                .orElse(DiskSpace.UNKNOWN);
    }

    /** Whether a node says that it answers writes that take more room as busy. */
    boolean growthRefused(String node) {
        return report(node).filter(HeartbeatRequest::getGrowthRefused).isPresent();
    }

    /** Cluster that a node says its data belongs to; empty: none. */
    String clusterOf(String node) {
        return report(node).map(HeartbeatRequest::getClusterId).orElse("");
    }

    /** Why the node cannot use its store; empty: it can. */
    String damage(String node) {
        return report(node).map(HeartbeatRequest::getDamage).orElse("");
    }

    String incarnation(String node) {
        return node(node).getIncarnation();
    }

    /** Of all ranges: {@link #hasLed} begins again. */
    void forgetLeaders() {
        led.clear();
    }
}

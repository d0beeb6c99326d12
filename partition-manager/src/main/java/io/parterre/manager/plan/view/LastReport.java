package io.parterre.manager.plan.view;

import io.parterre.disk.DiskLevel;
import io.parterre.manager.plan.policy.DiskPolicy;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A node's latest report and what follows from it. Immutable.
 *
 * @param at time of arrival
 * @param missingSince ranges of the node that it does not report, and since when
 * @param expected ranges of the node at the arrival
 * @param led the count of the node's leaderships at the arrival, if these were exactly the reported
 *     ones and the node is a member of all of them; empty if not, or if not examined
 * @param regressions replicas that lack entries which they had acknowledged
 * @param diskLevel level of its disk, which depends on earlier reports too
 * @param clock how its clock compares with the others'
 */
public record LastReport(
        NodeReport report,
        Instant at,
        Map<RangeId, Instant> missingSince,
        Collection<RangeId> expected,
        Optional<Leaders.Led> led,
        Regressions regressions,
        DiskLevel diskLevel,
        ClockVerdict clock) {
    public LastReport {
        missingSince = Map.copyOf(missingSince);
    }

    /** Returns the same report with another verdict on the clock. */
    public LastReport withClock(ClockVerdict other) {
        return new LastReport(
                report, at, missingSince, expected, led, regressions, diskLevel, other);
    }

    /** Creates a report of which each leadership has to be examined. */
    public LastReport(
            NodeReport report,
            Instant at,
            Map<RangeId, Instant> missingSince,
            Collection<RangeId> expected) {
        this(
                report,
                at,
                missingSince,
                expected,
                Optional.empty(),
                Regressions.NONE,
                DiskLevel.OK,
                ClockVerdict.UNKNOWN);
    }

    /**
     * Returns the result of the next report. A missing replica may be about to start, so it counts
     * as lost only after a while. In a new data folder it counts as lost at once, because nothing
     * there could start.
     *
     * @param expected ranges that the node is a member of
     * @param leaders who leads which range, this report included
     * @param heard the latest report of each node, alive or not
     * @param folderReplaced whether the node's data folder has been replaced
     * @param disk decides when its disk is too full
     */
    public static LastReport next(
            Optional<LastReport> before,
            NodeReport report,
            Instant at,
            Collection<RangeId> expected,
            Leaders leaders,
            Map<NodeId, LastReport> heard,
            boolean folderReplaced,
            DiskPolicy disk) {
        NodeId nodeId = report.node().nodeId();
        Map<RangeId, Instant> missing = new HashMap<>();
        int leads = 0;
        for (RangeId rangeId : expected) {
            Optional<NodeReport.Replica> replica = report.replica(rangeId);
            if (replica.isEmpty()) {
                Instant since = before.map(last -> last.missingSince().get(rangeId)).orElse(at);
                missing.put(rangeId, folderReplaced ? Instant.MIN : since);
            } else if (replica.get().leading() && leaders.isLastOf(nodeId, rangeId)) {
                leads++;
            }
        }
        int all = leads;
        boolean asTold = report.leading().size() == leads;
        return new LastReport(
                report,
                at,
                missing,
                expected,
                leaders.led(nodeId).filter(led -> asTold && led.ranges() == all),
                Regressions.next(
                        folderReplaced ? Optional.empty() : before,
                        report,
                        rangeId -> leaderWord(leaders, heard, rangeId)),
                diskLevel(before, report, disk),
                before.map(LastReport::clock).orElse(ClockVerdict.UNKNOWN));
    }

    private static DiskLevel diskLevel(
            Optional<LastReport> before, NodeReport report, DiskPolicy disk) {
        DiskLevel last = before.map(LastReport::diskLevel).orElse(DiskLevel.OK);
        return report.growthRefused()
                ? DiskLevel.CRITICAL
                : disk.marks().level(report.diskSpace(), last);
    }

    /** Returns the leader's replica by its latest report, even if it led last and is silent now. */
    private static Optional<NodeReport.Replica> leaderWord(
            Leaders leaders, Map<NodeId, LastReport> heard, RangeId rangeId) {
        return leaders.last(rangeId)
                .map(heard::get)
                .flatMap(word -> word.report().replica(rangeId))
                .filter(NodeReport.Replica::leading);
    }

    /**
     * Returns whether the node reports all data of all ranges that it is a member of. Found without
     * an examination of each range: the collection has to be the one of the report's arrival.
     *
     * @param now ranges that the node is a member of
     */
    boolean reportsAllReplicas(Collection<RangeId> now) {
        return isOf(now)
                && missingSince.isEmpty()
                && !report.isAnyJoining()
                && !report.isAnyDamaged();
    }

    /** Returns whether the collection is the same instance as at the arrival of the report. */
    @SuppressWarnings("ReferenceEquality") // Comparing equal collections would take too long.
    private boolean isOf(Collection<RangeId> now) {
        return expected == now;
    }

    /**
     * Returns whether the ranges that the node claims to lead are exactly those that it led last.
     * Found without an examination of each range.
     *
     * @param now ranges that the node is a member of
     */
    boolean leadsAsReported(Collection<RangeId> now, Optional<Leaders.Led> ledNow) {
        return led.isPresent() && led.equals(ledNow) && isOf(now);
    }
}

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
 * A node's latest report.
 *
 * @param at when it came
 * @param missingSince ranges of the node's that it does not tell of, and since when it has not
 * @param expected ranges of the node's when it came
 * @param led what was known of its leads then, if it led all that it says and nothing else, and all
 *     of that are ranges of its own; empty: that was not so, or was not looked at
 * @param regressions replicas that lack entries which they had acknowledged
 * @param diskLevel how full its disk is, as it was judged with the reports before
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

    /** The same with another word on its clock. */
    public LastReport withClock(ClockVerdict other) {
        return new LastReport(
                report, at, missingSince, expected, led, regressions, diskLevel, other);
    }

    /** One of whose leads each has to be looked at. */
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
     * With the next report. A replica that is missing may be about to start, so that only one
     * missing for a while counts as lost; in a new data folder there is nothing that could.
     *
     * @param expected ranges that the node is a member of
     * @param leaders who leads which range, as this report has it
     * @param heard the latest word of each node, alive or not
     * @param afresh whether the node's data folder is another one than before
     * @param disk says when its disk is too full
     */
    public static LastReport next(
            Optional<LastReport> before,
            NodeReport report,
            Instant at,
            Collection<RangeId> expected,
            Leaders leaders,
            Map<NodeId, LastReport> heard,
            boolean afresh,
            DiskPolicy disk) {
        NodeId nodeId = report.node().nodeId();
        Map<RangeId, Instant> missing = new HashMap<>();
        int leads = 0;
        for (RangeId rangeId : expected) {
            Optional<NodeReport.Replica> replica = report.replica(rangeId);
            if (replica.isEmpty()) {
                Instant since = before.map(last -> last.missingSince().get(rangeId)).orElse(at);
                missing.put(rangeId, afresh ? Instant.MIN : since);
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
                        afresh ? Optional.empty() : before,
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

    /** The latest word of the node that leads the range, or led it last. */
    private static Optional<NodeReport.Replica> leaderWord(
            Leaders leaders, Map<NodeId, LastReport> heard, RangeId rangeId) {
        return leaders.last(rangeId)
                .map(heard::get)
                .flatMap(word -> word.report().replica(rangeId))
                .filter(NodeReport.Replica::leading);
    }

    /**
     * Whether it tells of all data of all ranges that the node is a member of, found without a look
     * at each: they have to be the very ones that it was compared to when it came.
     *
     * @param now ranges that the node is a member of
     */
    boolean isWhole(Collection<RangeId> now) {
        return isOf(now)
                && missingSince.isEmpty()
                && !report.isAnyJoining()
                && !report.isAnyDamaged();
    }

    /** Whether the ranges are the very ones that it was compared to when it came. */
    @SuppressWarnings("ReferenceEquality") // Equal ones may be compared by those who have time.
    private boolean isOf(Collection<RangeId> now) {
        return expected == now;
    }

    /**
     * Whether the node led last what it says that it leads and nothing else, found without a look
     * at each range.
     *
     * @param now ranges that the node is a member of
     */
    boolean isLeadAsTold(Collection<RangeId> now, Optional<Leaders.Led> ledNow) {
        return led.isPresent() && led.equals(ledNow) && isOf(now);
    }
}

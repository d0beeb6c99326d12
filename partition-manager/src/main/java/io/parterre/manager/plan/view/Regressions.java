package io.parterre.manager.plan.view;

import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Replicas of one node that are not as they should be. The log of some ends before entries that
 * they had acknowledged: the node's folder is an older copy of itself, or its disk lost what it had
 * reported as written. Together with a member that never had the entries, such a replica would be a
 * majority that forgets them. The rows of others differ from those of most members of their range.
 * Those may vote, because their logs are as good as any. Immutable.
 *
 * @param suspected last acknowledged entry of replicas whose latest report does not reach it; the
 *     report may have been in flight while the entry was acknowledged
 * @param confirmed last acknowledged entry of replicas that lack acknowledged entries, or did since
 *     they were built; they may have forgotten votes as well
 * @param differing log entry at which rows of replicas differed from those of most members, since
 *     they were built; their leader forgets it with its leadership
 */
public record Regressions(
        Map<RangeId, Long> suspected, Map<RangeId, Long> confirmed, Map<RangeId, Long> differing) {
    public static final Regressions NONE = new Regressions(Map.of(), Map.of(), Map.of());

    public Regressions {
        suspected = Map.copyOf(suspected);
        confirmed = Map.copyOf(confirmed);
        differing = Map.copyOf(differing);
    }

    /**
     * Returns the result of the node's next report. A node makes a report only after the answer to
     * the previous one, so the report must contain each entry that was known to be acknowledged by
     * then.
     *
     * @param before the node's previous report from the same data folder, and its result
     * @param leaders the latest report of each range's leader, alive or not
     */
    static Regressions next(
            Optional<LastReport> before,
            NodeReport report,
            Function<RangeId, Optional<NodeReport.Replica>> leaders) {
        Map<RangeId, Long> suspected = new HashMap<>();
        Map<RangeId, Long> confirmed = new HashMap<>();
        Map<RangeId, Long> differing = new HashMap<>();
        NodeId nodeId = report.node().nodeId();
        for (NodeReport.Replica replica : report.replicas()) {
            OptionalLong end = end(replica);
            if (end.isEmpty()) {
                // The replica is being built and has acknowledged nothing of the new build.
                continue;
            }
            RangeId rangeId = replica.rangeId();
            Regressions known = before.map(LastReport::regressions).orElse(NONE);
            long told = told(leaders.apply(rangeId), nodeId);
            long certain =
                    Math.max(
                            known.suspected.getOrDefault(rangeId, 0L),
                            before.flatMap(last -> last.report().replica(rangeId))
                                    .map(Regressions::synced)
                                    .orElse(0L));
            long lacked =
                    Math.max(
                            known.confirmed.getOrDefault(rangeId, 0L),
                            lacked(leaders.apply(rangeId), nodeId));
            if (end.getAsLong() < certain) {
                lacked = Math.max(lacked, certain);
            }
            if (lacked > 0) {
                confirmed.put(rangeId, lacked);
            }
            if (end.getAsLong() < told) {
                suspected.put(rangeId, told);
            }
            long differs =
                    Math.max(
                            replica.rows().differsAt().orElse(0),
                            Math.max(
                                    known.differing.getOrDefault(rangeId, 0L),
                                    differs(leaders.apply(rangeId), nodeId)));
            if (differs > 0) {
                differing.put(rangeId, differs);
            }
        }
        return suspected.isEmpty() && confirmed.isEmpty() && differing.isEmpty()
                ? NONE
                : new Regressions(suspected, confirmed, differing);
    }

    /**
     * Returns the last entry of a replica that has the range's data; empty if it has not, or does
     * not report its log.
     */
    private static OptionalLong end(NodeReport.Replica replica) {
        return replica.joining() || replica.damage().isPresent() || replica.log().isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(
                        Math.max(replica.log().get().lastIndex(), replica.appliedIndex()));
    }

    private static long synced(NodeReport.Replica replica) {
        return end(replica).isEmpty() ? 0 : replica.log().orElseThrow().syncedIndex();
    }

    /** Returns the last committed entry that the follower has acknowledged to the leader. */
    private static long told(Optional<NodeReport.Replica> leader, NodeId follower) {
        return leader.stream()
                .flatMap(
                        word ->
                                word.followers().stream()
                                        .filter(each -> each.nodeId().equals(follower))
                                        .map(
                                                each ->
                                                        Math.min(
                                                                each.matchIndex(),
                                                                word.appliedIndex())))
                .findFirst()
                .orElse(0L);
    }

    private static long lacked(Optional<NodeReport.Replica> leader, NodeId follower) {
        return leader.stream()
                .flatMap(word -> word.followers().stream())
                .filter(each -> each.nodeId().equals(follower))
                .mapToLong(each -> each.regressedFrom().orElse(0))
                .findFirst()
                .orElse(0);
    }

    private static long differs(Optional<NodeReport.Replica> leader, NodeId follower) {
        return leader.stream()
                .flatMap(word -> word.followers().stream())
                .filter(each -> each.nodeId().equals(follower))
                .mapToLong(each -> each.differsAt().orElse(0))
                .findFirst()
                .orElse(0);
    }

    /**
     * Returns the entry at which the replica's rows differed from those of most members; empty if
     * not known to differ.
     */
    public OptionalLong differsAt(RangeId rangeId) {
        Long index = differing.get(rangeId);
        return index == null ? OptionalLong.empty() : OptionalLong.of(index);
    }

    /** Returns the same for a member, by its node's latest report. */
    public static OptionalLong differsAt(ClusterView view, NodeId member, RangeId rangeId) {
        return view.lastReport(member)
                .map(heard -> heard.regressions().differsAt(rangeId))
                .orElse(OptionalLong.empty());
    }

    /**
     * Returns the last entry that the replica acknowledged and lacks or lacked; empty if it has
     * all.
     */
    public OptionalLong of(RangeId rangeId) {
        long index =
                Math.max(suspected.getOrDefault(rangeId, 0L), confirmed.getOrDefault(rangeId, 0L));
        return index == 0 ? OptionalLong.empty() : OptionalLong.of(index);
    }

    /**
     * Returns the ranges in whose groups the node must not vote: the node could form a majority
     * with members that are not known to have what it lacks.
     */
    public static List<RangeId> withoutVote(ClusterView view, NodeReport report) {
        Optional<LastReport> heard = view.lastReport(report.node().nodeId());
        Regressions known = heard.map(LastReport::regressions).orElse(NONE);
        return report.replicas().stream()
                .filter(replica -> known.of(replica.rangeId()).isPresent())
                .filter(
                        replica ->
                                !mayVote(
                                        view,
                                        report.node().nodeId(),
                                        replica,
                                        known.of(replica.rangeId()).getAsLong()))
                .map(NodeReport.Replica::rangeId)
                .sorted()
                .toList();
    }

    private static boolean mayVote(
            ClusterView view, NodeId nodeId, NodeReport.Replica replica, long acknowledged) {
        if (end(replica).orElse(acknowledged) >= acknowledged) {
            return true;
        }
        List<NodeId> members =
                view.map()
                        .ranges()
                        .find(replica.rangeId())
                        .map(RangeDescriptor::members)
                        .orElse(replica.members());
        long lacking =
                members.stream()
                        .filter(member -> !member.equals(nodeId))
                        .filter(member -> !reaches(view, member, replica.rangeId(), acknowledged))
                        .count();
        return lacking < ClusterView.majority(members.size()) - 1;
    }

    /**
     * Returns whether the member's log reaches the entry by its latest report, even if its node is
     * dead.
     */
    public static boolean reaches(ClusterView view, NodeId member, RangeId rangeId, long index) {
        return view.lastReport(member)
                .flatMap(heard -> heard.report().replica(rangeId))
                .filter(replica -> end(replica).orElse(-1) >= index)
                .isPresent();
    }

    /**
     * Returns whether the member lacks entries that it had acknowledged, or did, by its latest
     * report.
     */
    public static boolean isConfirmed(ClusterView view, NodeId member, RangeId rangeId) {
        return view.lastReport(member)
                .filter(heard -> heard.regressions().confirmed().containsKey(rangeId))
                .isPresent();
    }
}

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
 * Replicas of one node that are not what they should be. Some have a log that ends before entries
 * that they had acknowledged: the node's folder is an older copy of itself, or its disk lost what
 * it had reported as written. Together with a member that never had the entries, such a replica
 * would be a majority that forgets them. Others hold other rows than most members of their range.
 * Those may vote, since their log is as good as any. Immutable; safe for any thread.
 *
 * @param suspected last acknowledged entry of replicas whose latest report does not reach it; the
 *     report may have been under way while the entry was acknowledged
 * @param confirmed the same of replicas that lack acknowledged entries, or did since they were
 *     built: they may have forgotten votes as well
 * @param differing log entry at which rows of replicas were others than those of most members,
 *     since they were built; their leader forgets it with its leadership
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
     * With the node's next report. A node makes a report once the one before was answered, so that
     * an entry that was known to be acknowledged then has to be in it.
     *
     * @param before the node's report before, of the same data folder, and what followed from it
     * @param leaders the latest word of each range's leader, alive or not
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
                // It is to be built, and has acknowledged nothing as what it is built to.
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

    /** Last entry of a replica that has the range's data; empty: it has not, or does not tell. */
    private static OptionalLong end(NodeReport.Replica replica) {
        return replica.joining() || replica.damage().isPresent() || replica.log().isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(
                        Math.max(replica.log().get().lastIndex(), replica.appliedIndex()));
    }

    private static long synced(NodeReport.Replica replica) {
        return end(replica).isEmpty() ? 0 : replica.log().orElseThrow().syncedIndex();
    }

    /** Up to which committed entry the leader has the follower's acknowledgement. */
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

    /** Entry at which the replica's rows were others than those of most; empty: not known. */
    public OptionalLong differsAt(RangeId rangeId) {
        Long index = differing.get(rangeId);
        return index == null ? OptionalLong.empty() : OptionalLong.of(index);
    }

    /** The same of a member, by its node's last word. */
    public static OptionalLong differsAt(ClusterView view, NodeId member, RangeId rangeId) {
        return view.lastWord(member)
                .map(heard -> heard.regressions().differsAt(rangeId))
                .orElse(OptionalLong.empty());
    }

    /** Last entry that the replica acknowledged and lacks or lacked; empty: it has all. */
    public OptionalLong of(RangeId rangeId) {
        long index =
                Math.max(suspected.getOrDefault(rangeId, 0L), confirmed.getOrDefault(rangeId, 0L));
        return index == 0 ? OptionalLong.empty() : OptionalLong.of(index);
    }

    /**
     * Ranges in whose groups the node must not vote: a majority could be formed of it and of
     * members that are not known to have what it lacks.
     */
    public static List<RangeId> withoutVote(ClusterView view, NodeReport report) {
        Optional<LastReport> heard = view.lastWord(report.node().nodeId());
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

    /** Whether the member's log reaches the entry by its last word, be its node alive or not. */
    public static boolean reaches(ClusterView view, NodeId member, RangeId rangeId, long index) {
        return view.lastWord(member)
                .flatMap(heard -> heard.report().replica(rangeId))
                .filter(replica -> end(replica).orElse(-1) >= index)
                .isPresent();
    }

    /** Whether the member lacks entries that it had acknowledged, or did, by its last word. */
    public static boolean isConfirmed(ClusterView view, NodeId member, RangeId rangeId) {
        return view.lastWord(member)
                .filter(heard -> heard.regressions().confirmed().containsKey(rangeId))
                .isPresent();
    }
}

package io.parterre.manager.plan;

import io.parterre.manager.map.NodeState;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one pass over all ranges tells. With a million of them the pass is what a round costs, so it
 * is made once for the planner and for {@link ClusterHealth}, looks each member's node up once, and
 * passes by what it can tell is well without a look at its replicas.
 */
final class Survey {
    /** What of a node is asked for each range that it is a member of. */
    private static final class Standing {
        private final boolean whole;
        private final boolean stays;
        private final boolean damaged;
        private final boolean up;
        private final String zone;
        private int leads;

        Standing(ClusterView view, NodeId node) {
            whole = view.isWhole(node);
            stays = view.state(node).filter(NodeState::givesReplicas).isEmpty();
            damaged = view.report(node).filter(NodeReport::isAnyDamaged).isPresent();
            up = view.liveness(node) == Liveness.UP;
            zone = view.zone(node);
        }
    }

    private final ClusterView view;
    private final int replicas;
    private final Map<NodeId, Standing> nodes = new HashMap<>();
    private final List<RangeDescriptor> restless = new ArrayList<>();
    private int withoutLeader;
    private int underReplicated;
    private int damagedReplicas;

    // Of the range looked at; kept, since a million arrays cost more than what is in them.
    private Standing[] members = new Standing[0];

    private Survey(ClusterView view, int replicas) {
        this.view = view;
        this.replicas = replicas;
    }

    /**
     * Looks at all ranges.
     *
     * @param replicas that a range should have
     */
    static Survey of(ClusterView view, int replicas) {
        Survey survey = new Survey(view, replicas);
        for (RangeDescriptor range : view.map().ranges().inKeyOrder()) {
            survey.look(range);
        }
        return survey;
    }

    int replicas() {
        return replicas;
    }

    /**
     * Ranges that may need something, in key order. All others have as many members as they should,
     * all of which are healthy and stay, no two of them in one zone.
     */
    List<RangeDescriptor> restless() {
        return restless;
    }

    /** How many ranges a node that is a member of them led last. */
    int leads(NodeId node) {
        Standing standing = nodes.get(node);
        return standing == null ? 0 : standing.leads;
    }

    /** Ranges that nobody claims to lead now. */
    int withoutLeader() {
        return withoutLeader;
    }

    /** Ranges with fewer healthy members than they should have. */
    int underReplicated() {
        return underReplicated;
    }

    /** Members that have to be rebuilt because what they hold is damaged. */
    int damagedReplicas() {
        return damagedReplicas;
    }

    private void look(RangeDescriptor range) {
        List<NodeId> ids = range.members();
        int count = ids.size();
        if (members.length < count) {
            members = new Standing[count];
        }
        boolean whole = true;
        boolean calm = count == replicas;
        for (int i = 0; i < count; i++) {
            Standing member = standing(ids.get(i));
            members[i] = member;
            whole &= member.whole;
            calm &= member.whole && member.stays;
            if (member.damaged && view.damage(ids.get(i), range.rangeId()).isPresent()) {
                damagedReplicas++;
            }
        }
        if (!calm || !areZonesDifferent(count)) {
            restless.add(range);
        }
        if ((whole ? count : view.healthy(range)) < replicas) {
            underReplicated++;
        }
        lead(range.rangeId(), ids);
    }

    private void lead(RangeId rangeId, List<NodeId> ids) {
        Optional<NodeId> last = view.lastLeader(rangeId);
        if (last.isEmpty()) {
            withoutLeader++;
            return;
        }
        int at = ids.indexOf(last.get());
        if (at < 0) {
            withoutLeader += view.leader(rangeId).isPresent() ? 0 : 1;
            return;
        }
        members[at].leads++;
        boolean leads =
                members[at].up
                        && view.replica(last.get(), rangeId)
                                .filter(NodeReport.Replica::leading)
                                .isPresent();
        withoutLeader += leads ? 0 : 1;
    }

    private Standing standing(NodeId node) {
        Standing known = nodes.get(node);
        if (known == null) {
            known = new Standing(view, node);
            nodes.put(node, known);
        }
        return known;
    }

    private boolean areZonesDifferent(int count) {
        for (int i = 1; i < count; i++) {
            for (int j = 0; j < i; j++) {
                if (members[i].zone.equals(members[j].zone)) {
                    return false;
                }
            }
        }
        return true;
    }
}

package io.parterre.manager.plan;

import io.parterre.manager.map.ClusterNode;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Decides who leads instead: away from nodes that shall lead nothing, then evenly. Leads are
 * counted where they were seen last, so that one on its way is not given away twice. For one round.
 */
final class LeadPlanner {
    private final ClusterView view;
    private final Policy policy;
    private final Ledger ledger;
    private final Set<NodeId> open;
    private final Map<NodeId, List<RangeDescriptor>> led = new HashMap<>();
    private final Map<NodeId, Integer> leads = new HashMap<>();
    private final List<Decision> decisions = new ArrayList<>();
    private int transfers;

    LeadPlanner(ClusterView view, Policy policy, Ledger ledger, List<NodeId> open) {
        this.view = view;
        this.policy = policy;
        this.ledger = ledger;
        this.open = new TreeSet<>(open);
        for (RangeDescriptor range : view.map().ranges().inKeyOrder()) {
            Optional<NodeId> leader =
                    view.lastLeader(range.rangeId()).filter(range.members()::contains);
            if (leader.isPresent()) {
                led.computeIfAbsent(leader.get(), node -> new ArrayList<>()).add(range);
                leads.merge(leader.get(), 1, Integer::sum);
            }
        }
    }

    List<Decision> decide() {
        for (ClusterNode node : view.map().nodes()) {
            boolean leaving =
                    !node.state().takesMore()
                            || isOnLeave(node.nodeId())
                            || view.isDiskStalled(node.nodeId());
            if (leaving && view.liveness(node.nodeId()) == Liveness.UP) {
                leadNothing(node);
            }
        }
        balance();
        return decisions;
    }

    private boolean isOnLeave(NodeId node) {
        return view.onLeave().filter(node::equals).isPresent();
    }

    private String reason(ClusterNode node) {
        if (view.isDiskStalled(node.nodeId())) {
            return " has a disk that does not answer";
        }
        return isOnLeave(node.nodeId()) ? " may go down" : " is to lead nothing";
    }

    private void leadNothing(ClusterNode node) {
        String what = "node " + node.nodeId() + reason(node);
        for (RangeDescriptor range : led.getOrDefault(node.nodeId(), List.of())) {
            if (ledger.isMoving(range.rangeId())) {
                continue;
            }
            Optional<NodeId> to = idlest(range, node.nodeId());
            if (to.isEmpty()) {
                decisions.add(
                        new Decision.Leave(
                                Optional.of(range.rangeId()),
                                Decision.Cause.NO_NODE,
                                what + ", no other member can lead"));
            } else if (transfers < policy.leadTransfersMax()) {
                transfer(range, node.nodeId(), to.get(), what);
            }
        }
    }

    /** The healthy member that leads least. */
    private Optional<NodeId> idlest(RangeDescriptor range, NodeId leader) {
        NodeId best = null;
        for (NodeId member : range.members()) {
            if (!member.equals(leader)
                    && open.contains(member)
                    && view.health(range.rangeId(), member) == Health.HEALTHY
                    && (best == null || leads(member) < leads(best))) {
                best = member;
            }
        }
        return Optional.ofNullable(best);
    }

    private int leads(NodeId node) {
        return leads.getOrDefault(node, 0);
    }

    private void transfer(RangeDescriptor range, NodeId from, NodeId to, String why) {
        transfers++;
        leads.merge(from, -1, Integer::sum);
        leads.merge(to, 1, Integer::sum);
        decisions.add(new Decision.TransferLead(range.rangeId(), from, to, why));
    }

    private void balance() {
        int sum = 0;
        for (NodeId node : open) {
            sum += leads(node);
        }
        int tolerated = open.isEmpty() ? 0 : policy.tolerated(sum / open.size());
        List<NodeId> busiest = new ArrayList<>(open);
        busiest.sort(
                Comparator.comparing((NodeId node) -> -leads(node))
                        .thenComparing(Comparator.naturalOrder()));
        int fewest = busiest.stream().mapToInt(this::leads).min().orElse(0);
        for (NodeId from : busiest) {
            if (leads(from) - fewest <= tolerated) {
                return;
            }
            for (RangeDescriptor range : led.getOrDefault(from, List.of())) {
                if (transfers >= policy.leadTransfersMax()) {
                    return;
                }
                if (ledger.isMoving(range.rangeId())) {
                    continue;
                }
                Optional<NodeId> to = idlest(range, from);
                if (to.isPresent() && leads(from) - leads(to.get()) > tolerated) {
                    transfer(
                            range,
                            from,
                            to.get(),
                            "node "
                                    + from
                                    + " leads "
                                    + leads(from)
                                    + " ranges, node "
                                    + to.get()
                                    + " leads "
                                    + leads(to.get()));
                }
            }
        }
    }
}

package io.parterre.manager.plan.decide;

import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.plan.policy.Demand;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
import io.parterre.manager.plan.view.Liveness;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Decides which leaderships are transferred: first from nodes that must not lead, then for balance
 * by number, then by load. Leaderships count where they were last seen, or at the destination of a
 * transfer in progress, so that no other transfer repairs the same imbalance. For one round.
 */
final class LeadershipPlanner {
    /**
     * A node is busy if its load exceeds the mean by this fraction. The excess also has to matter
     * in absolute terms, or nearly idle nodes would be balanced.
     */
    private static final double BUSIER_MIN = 0.15;

    /** A range has to carry at least this fraction of the node's load above the mean. */
    private static final double PART_MIN = 0.1;

    /**
     * A range moves if its new leader then has at most this fraction of the old leader's present
     * load.
     */
    private static final double WORTH_IT = 0.9;

    private final ClusterView view;
    private final Policy policy;
    private final Ledger ledger;
    private final LeaderLoads loads;
    private final Set<NodeId> open;
    private final LeadershipCounts leads;
    private final Set<RangeId> going = new HashSet<>();
    private final List<Decision> decisions = new ArrayList<>();
    private int transfers;

    LeadershipPlanner(
            ClusterView view, Policy policy, Ledger ledger, LeaderLoads loads, List<NodeId> open) {
        this.view = view;
        this.policy = policy;
        this.ledger = ledger;
        this.loads = loads;
        this.leads = new LeadershipCounts(view);
        this.open = new TreeSet<>(open);
    }

    /**
     * Decides.
     *
     * @param underWay transfers in progress, which are counted in the loads
     */
    List<Decision> decide(List<Decision.TransferLead> underWay) {
        for (Decision.TransferLead transfer : underWay) {
            if (!ledger.isChanging(transfer.rangeId())) {
                transfer(transfer);
            }
        }
        for (ClusterNode node : view.map().nodes()) {
            boolean leaving =
                    !node.state().takesMore()
                            || isOnLeave(node.nodeId())
                            || view.ailment(node.nodeId()).isPresent()
                            || view.isDiskFull(node.nodeId());
            if (leaving && view.liveness(node.nodeId()) == Liveness.UP) {
                leadNothing(node);
            }
        }
        balance();
        if (decisions.stream().noneMatch(Decision.TransferLead.class::isInstance)) {
            balanceLoad();
        }
        return decisions;
    }

    private boolean isOnLeave(NodeId node) {
        return view.permitHolder().filter(node::equals).isPresent();
    }

    private Reason reason(ClusterNode node) {
        NodeId nodeId = node.nodeId();
        if (view.ailment(nodeId).isPresent()) {
            return ReasonCode.NODE_LEADS_NOTHING_FOR.of(nodeId, view.whyAiling(nodeId));
        }
        if (isForRoom(node)) {
            return ReasonCode.NODE_HAS_DISK.of(nodeId, view.diskUse(nodeId));
        }
        return (isOnLeave(nodeId) ? ReasonCode.NODE_MAY_GO_DOWN : ReasonCode.NODE_LEADS_NOTHING)
                .of(nodeId);
    }

    /** Returns whether the node could lead as any other, were its disk not full. */
    private boolean isForRoom(ClusterNode node) {
        return node.state().takesMore()
                && !isOnLeave(node.nodeId())
                && view.ailment(node.nodeId()).isEmpty()
                && view.isDiskFull(node.nodeId());
    }

    private void leadNothing(ClusterNode node) {
        Reason why = reason(node);
        int waiting = 0;
        for (RangeDescriptor range : leads.ledBy(node.nodeId())) {
            if (stays(range)) {
                continue;
            }
            Optional<NodeId> to = idlest(range, node.nodeId());
            if (to.isEmpty() && isForRoom(node)) {
                // All disks may have filled together. This node leads no worse than the others
                // would.
                continue;
            }
            if (to.isEmpty()) {
                decisions.add(
                        new Decision.Leave(
                                Optional.of(range.rangeId()),
                                Decision.Cause.NO_NODE,
                                ReasonCode.NO_OTHER_CAN_LEAD.of(why)));
            } else if (transfers < policy.leadTransfersMax()) {
                transfer(range, node.nodeId(), to.get(), why);
            } else {
                waiting++;
            }
        }
        if (waiting > 0) {
            decisions.add(
                    new Decision.Leave(
                            Optional.empty(),
                            Decision.Cause.TOO_MANY_MOVES,
                            ReasonCode.TRANSFERS_UNDER_WAY.of(
                                    why, waiting, policy.leadTransfersMax())));
        }
    }

    /** Returns the healthy member that leads least. */
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
        return leads.of(node);
    }

    private void transfer(RangeDescriptor range, NodeId from, NodeId to, Reason why) {
        transfer(new Decision.TransferLead(range.rangeId(), from, to, why));
    }

    private void transfer(Decision.TransferLead transfer) {
        transfers++;
        going.add(transfer.rangeId());
        leads.shift(transfer.from(), transfer.to());
        decisions.add(transfer);
    }

    /** Returns whether the range keeps its present leader for now. */
    private boolean stays(RangeDescriptor range) {
        return going.contains(range.rangeId()) || ledger.isChanging(range.rangeId());
    }

    /** Returns the tolerated difference in leaderships between two nodes. */
    private int tolerated() {
        int sum = 0;
        for (NodeId node : open) {
            sum += leads(node);
        }
        return open.isEmpty() ? 0 : policy.tolerated(sum / open.size());
    }

    private void balance() {
        int tolerated = tolerated();
        List<NodeId> busiest = new ArrayList<>(open);
        busiest.sort(
                Comparator.comparing((NodeId node) -> -leads(node))
                        .thenComparing(Comparator.naturalOrder()));
        int fewest = busiest.stream().mapToInt(this::leads).min().orElse(0);
        for (NodeId from : busiest) {
            if (leads(from) - fewest <= tolerated) {
                return;
            }
            for (RangeDescriptor range : coldestFirst(from)) {
                if (transfers >= policy.leadTransfersMax()) {
                    return;
                }
                if (stays(range)) {
                    continue;
                }
                Optional<NodeId> to = idlest(range, from);
                if (to.isPresent() && leads(from) - leads(to.get()) > tolerated) {
                    transfer(
                            range,
                            from,
                            to.get(),
                            ReasonCode.LEADS_MORE.of(from, leads(from), to.get(), leads(to.get())));
                }
            }
        }
    }

    private List<RangeDescriptor> coldestFirst(NodeId node) {
        List<RangeDescriptor> ranges = leads.ledBy(node);
        ranges.sort(Comparator.comparingDouble(range -> loads.operations(node, range.rangeId())));
        return ranges;
    }

    /**
     * Moves one range from the busiest node, if that helps enough. Figures of nodes that got or
     * gave a leadership a moment ago are not trusted, so that leadership does not go back and
     * forth.
     */
    private void balanceLoad() {
        Optional<NodeId> busiest = open.stream().max(Comparator.comparingDouble(loads::of));
        if (open.size() < 2 || busiest.isEmpty() || loads.isUnsettled(busiest.get())) {
            return;
        }
        NodeId from = busiest.get();
        double mean = open.stream().mapToDouble(loads::of).sum() / open.size();
        double above = loads.of(from) - mean;
        if (above < mean * BUSIER_MIN || above < policy.split().operationsPerSecondMax() / 4.0) {
            return;
        }
        List<RangeDescriptor> hottestFirst = coldestFirst(from);
        Collections.reverse(hottestFirst);
        for (RangeDescriptor range : hottestFirst) {
            if (loads.operations(from, range.rangeId()) < above * PART_MIN) {
                return;
            }
            Optional<NodeId> to = stays(range) ? Optional.empty() : idler(range, from);
            Demand moves = loads.demand(from, range.rangeId());
            if (to.isPresent()
                    // Otherwise balance by number would move it back.
                    && leads(to.get()) + 1 - (leads(from) - 1) <= tolerated()
                    && loads.with(to.get(), moves) < loads.of(from) * WORTH_IT) {
                transfer(
                        range,
                        from,
                        to.get(),
                        ReasonCode.IS_ASKED_MORE.of(
                                loads.of(from),
                                from,
                                loads.of(to.get()),
                                to.get(),
                                loads.operations(from, range.rangeId())));
                return;
            }
        }
    }

    private Optional<NodeId> idler(RangeDescriptor range, NodeId from) {
        return range.members().stream()
                .filter(node -> !node.equals(from) && open.contains(node))
                .filter(node -> !loads.isUnsettled(node))
                .filter(node -> view.health(range.rangeId(), node) == Health.HEALTHY)
                .min(
                        Comparator.comparingDouble(loads::of)
                                .thenComparing(Comparator.naturalOrder()));
    }
}

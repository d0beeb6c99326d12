package io.parterre.chaos.simulation;

import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.plan.progress.Order;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.change.MemberChange;
import io.parterre.server.change.MergeOrder;
import io.parterre.server.change.SplitOrder;
import io.parterre.server.command.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Carries a manager's orders out, one after the other: those of one answer at a time. */
final class ServerOrders implements Order.Cases<Void> {
    private final SimulatedServer server;
    private boolean busy;
    private List<NodeReport.SplitRefusal> refusing = new ArrayList<>();
    private List<NodeReport.MergeRefusal> refusingMerges = new ArrayList<>();
    private List<NodeReport.SplitRefusal> refused = List.of();
    private List<NodeReport.MergeRefusal> refusedMerges = List.of();

    ServerOrders(SimulatedServer server) {
        this.server = server;
    }

    void forget() {
        busy = false;
        refused = List.of();
        refusedMerges = List.of();
    }

    boolean isIdle() {
        return !busy;
    }

    List<NodeReport.SplitRefusal> refused() {
        return refused;
    }

    List<NodeReport.MergeRefusal> refusedMerges() {
        return refusedMerges;
    }

    /** Those that stand when there is time for them are given again. */
    void take(List<Order> orders) {
        if (busy) {
            return;
        }
        busy = true;
        refusing = new ArrayList<>();
        refusingMerges = new ArrayList<>();
        server.mend();
        next(orders, 0);
    }

    private void next(List<Order> orders, int at) {
        if (at == orders.size()) {
            boolean changed = !refused.equals(refusing) || !refusedMerges.equals(refusingMerges);
            refused = List.copyOf(refusing);
            refusedMerges = List.copyOf(refusingMerges);
            busy = false;
            if (changed) {
                server.reports.soon();
            }
            return;
        }
        server.later(
                server.simulation.conditions.orderMillis(),
                () -> {
                    orders.get(at).match(this);
                    next(orders, at + 1);
                });
    }

    /** One that comes late once more, whatever has happened since. */
    void takeAgain(Order order) {
        server.simulation.trace.note("order again", server.nodeId, order);
        order.match(this);
    }

    private void led(RangeId rangeId, Consumer<SimulatedReplica> work) {
        server.find(rangeId).ifPresent(work);
    }

    private static HostedRange hosted(RangeDescriptor range, List<ClusterNode> nodes) {
        return new HostedRange(range, members(nodes));
    }

    private static List<Member> members(List<ClusterNode> nodes) {
        return nodes.stream().map(SimulatedServer::member).toList();
    }

    @Override
    public Void host(Order.HostReplica host) {
        if (server.host(hosted(host.range(), host.nodes()))) {
            server.reports.soon();
        }
        return null;
    }

    @Override
    public Void join(Order.JoinReplica join) {
        if (server.joins(hosted(join.range(), join.nodes()))) {
            server.reports.soon();
        }
        return null;
    }

    @Override
    public Void change(Order.ChangeMembers change) {
        led(
                change.rangeId(),
                replica ->
                        server.changes.changeMembers(
                                replica,
                                new MemberChange(change.generation(), members(change.nodes()))));
        return null;
    }

    @Override
    public Void transfer(Order.TransferLead transfer) {
        led(
                transfer.rangeId(),
                replica ->
                        server.changes.transferLeadership(
                                replica, transfer.generation(), transfer.to()));
        return null;
    }

    @Override
    public Void remove(Order.RemoveReplica remove) {
        if (server.remove(remove.rangeId(), remove.generation())) {
            server.reports.soon();
        }
        return null;
    }

    @Override
    public Void split(Order.SplitRange split) {
        led(
                split.rangeId(),
                replica ->
                        server.changes
                                .split(
                                        replica,
                                        new SplitOrder(
                                                split.rangeId(),
                                                split.generation(),
                                                split.splitPoint(),
                                                split.childIds(),
                                                split.childLeader()))
                                .filter(SplitOrder.Verdict::isRefusal)
                                .ifPresent(
                                        why ->
                                                refusing.add(
                                                        new NodeReport.SplitRefusal(
                                                                split.childIds().get(0),
                                                                why.name()))));
        return null;
    }

    @Override
    public Void merge(Order.MergeRanges merge) {
        led(
                merge.leftId(),
                left ->
                        server.changes
                                .merge(
                                        left,
                                        new MergeOrder(
                                                merge.leftId(),
                                                merge.leftGeneration(),
                                                merge.rightId(),
                                                merge.rightGeneration()))
                                .filter(MergeOrder.Verdict::isRefusal)
                                .ifPresent(
                                        why ->
                                                refusingMerges.add(
                                                        new NodeReport.MergeRefusal(
                                                                merge.leftId(),
                                                                merge.leftGeneration(),
                                                                merge.rightId(),
                                                                why.name()))));
        return null;
    }

    @Override
    public Void thaw(Order.ThawRange thaw) {
        led(thaw.rangeId(), replica -> server.changes.thaw(replica, thaw.generation()));
        return null;
    }

    @Override
    public Void rebuildStore(Order.RebuildStore rebuildStore) {
        throw new Violation(
                "node " + server.nodeId + " is to rebuild its store, and its store is well");
    }

    @Override
    public Void recover(Order.RecoverRange recover) {
        throw new Violation("a range is to be recovered, and no majority was lost: " + recover);
    }

    @Override
    public Void quarantine(Order.QuarantineReplica quarantine) {
        throw new Violation("no simulated member lost what it acknowledged: " + quarantine);
    }
}

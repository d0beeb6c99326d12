package io.parterre.manager.lead;

import io.parterre.manager.map.ClusterAccount;
import io.parterre.manager.plan.decide.Plan;
import io.parterre.manager.plan.explain.JournalFilter;
import io.parterre.manager.plan.membership.ManagersView;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Leftover;
import io.parterre.range.NodeId;
import java.util.Collection;
import java.util.Optional;

/**
 * What the leader can tell operators at one moment. Confined to the loop's thread, within one call.
 */
public final class Overview {
    private final ClusterView view;
    private final Plan plan;
    private final String leaderAddress;
    private final DrainProgress drains;
    private final Remarks remarks;
    private final Optional<ManagersView> managers;

    Overview(
            ClusterView view,
            Plan plan,
            String leaderAddress,
            DrainProgress drains,
            Remarks remarks,
            Optional<ManagersView> managers) {
        this.view = view;
        this.plan = plan;
        this.leaderAddress = leaderAddress;
        this.drains = drains;
        this.remarks = remarks;
        this.managers = managers;
    }

    public ClusterView view() {
        return view;
    }

    /** Returns the latest plan. */
    public Plan plan() {
        return plan;
    }

    /** Returns the service address of this manager. */
    public String leaderAddress() {
        return leaderAddress;
    }

    /** Returns the newest journal entries that match the filter. */
    public JournalFilter.Page journal(JournalFilter filter, int countMax) {
        return filter.newest(view.map().journal().entries(), remarks.entries(), countMax);
    }

    /** Returns the managers; empty if this manager has just lost leadership. */
    public Optional<ManagersView> managers() {
        return managers;
    }

    public Collection<ClusterAccount> accounts() {
        return view.map().accounts();
    }

    /** Returns the pace of the node's drain; empty if not known. */
    public Optional<DrainPace> pace(NodeId nodeId, Leftover left) {
        return drains.pace(nodeId, left, view.now());
    }
}

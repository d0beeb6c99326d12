package io.parterre.manager.plan.decide;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The planner's decisions of one round, most urgent first. */
public record Plan(List<Decision> decisions) {
    /** The plan before the first round. */
    public static final Plan NONE = new Plan(List.of());

    public Plan {
        decisions = List.copyOf(decisions);
    }

    public List<Decision.ChangeMembers> changes() {
        return of(Decision.ChangeMembers.class);
    }

    List<Decision.TransferLead> leadTransfers() {
        return of(Decision.TransferLead.class);
    }

    /** Returns the planned new leaders, by range. */
    public Map<RangeId, NodeId> leads() {
        Map<RangeId, NodeId> leads = new HashMap<>();
        for (Decision.TransferLead transfer : leadTransfers()) {
            leads.put(transfer.rangeId(), transfer.to());
        }
        return leads;
    }

    public List<Decision.Split> splits() {
        return of(Decision.Split.class);
    }

    public List<Decision.Merge> merges() {
        return of(Decision.Merge.class);
    }

    public List<Decision.Leave> left() {
        return of(Decision.Leave.class);
    }

    /** Returns whether nothing is to be changed. */
    public boolean isQuiet() {
        return decisions.stream().allMatch(Decision.Leave.class::isInstance);
    }

    private <T extends Decision> List<T> of(Class<T> kind) {
        return decisions.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}

package io.parterre.manager.plan.request;

import static io.parterre.manager.plan.view.ClusterView.majority;

import io.parterre.manager.map.ClusterManager;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.plan.membership.ManagerSteps;
import io.parterre.manager.plan.membership.ManagersView;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Judges operators' requests about the managers, without carrying them out. Stateless and
 * thread-safe.
 */
public final class ManagerRequests {
    private static final int MANAGERS_MAX = 9;

    private ManagerRequests() {}

    /**
     * Judges a request to add a manager, which joins once it has introduced itself with an empty
     * folder.
     */
    public static Verdict add(ManagersView view, ClusterManager manager) {
        Optional<Verdict> no =
                changing(view)
                        .or(() -> taken(view, manager, Optional.empty()))
                        .or(() -> tooMany(view));
        if (no.isPresent()) {
            return no.get();
        }
        List<ClusterManager> after = new ArrayList<>(view.wanted().all());
        after.add(manager.withIncarnation(""));
        long healthy = view.healthyAmong(view.members()) + 1;
        if (healthy < majority(after.size())) {
            return new Verdict.Refuse(tooFew(healthy, after.size()));
        }
        return set(view, after, ReasonCode.MANAGER_IS_TAKEN_IN.of(manager));
    }

    /** Judges a request to remove a manager for good. */
    public static Verdict remove(ManagersView view, NodeId nodeId) {
        Optional<ClusterManager> known = view.wanted().find(nodeId);
        if (known.isEmpty()) {
            return new Verdict.NotFound(ReasonCode.MANAGER_UNKNOWN.of(nodeId));
        }
        List<ClusterManager> after = without(view, nodeId);
        if (after.isEmpty()) {
            return new Verdict.Refuse(ReasonCode.MANAGER_IS_ALONE.of(nodeId));
        }
        if (view.member(nodeId).isEmpty()) {
            // This withdraws an addition, which needs no agreement.
            return set(view, after, ReasonCode.MANAGER_IS_NOT_EXPECTED.of(nodeId));
        }
        Optional<Verdict> no =
                changing(view).or(() -> ManagerSteps.others(view, nodeId).map(Verdict.Refuse::new));
        return no.orElseGet(() -> set(view, after, ReasonCode.MANAGER_LEAVES.of(nodeId)));
    }

    /**
     * Judges a request to replace a manager by another one. The old one is removed once the new one
     * has joined; if both have the same id, the old one is removed first.
     */
    public static Verdict replace(ManagersView view, NodeId old, ClusterManager manager) {
        Optional<ClusterManager> known = view.wanted().find(old);
        if (known.isEmpty()) {
            return new Verdict.NotFound(ReasonCode.MANAGER_UNKNOWN.of(old));
        }
        boolean same = old.equals(manager.nodeId());
        if (same && known.get().hasAddressesOf(manager)) {
            return Verdict.Do.nothing(ReasonCode.MANAGER_IS_THERE.of(manager));
        }
        Optional<Verdict> no =
                changing(view)
                        .or(() -> taken(view, manager, Optional.of(old)))
                        .or(
                                () ->
                                        same
                                                ? ManagerSteps.others(view, old)
                                                        .map(Verdict.Refuse::new)
                                                : Optional.empty());
        if (no.isPresent()) {
            return no.get();
        }
        long healthy = view.healthyAmong(view.without(old)) + 1;
        if (healthy < majority(view.members().size())) {
            return new Verdict.Refuse(tooFew(healthy, view.members().size()));
        }
        List<ClusterManager> after = new ArrayList<>(without(view, old));
        after.add(manager.withIncarnation(""));
        return set(
                view,
                after,
                same
                        ? ReasonCode.MANAGER_MOVES.of(old, known.get(), manager)
                        : ReasonCode.MANAGER_REPLACES.of(manager, old));
    }

    private static List<ClusterManager> without(ManagersView view, NodeId nodeId) {
        return view.wanted().all().stream().filter(each -> !each.nodeId().equals(nodeId)).toList();
    }

    private static Verdict set(ManagersView view, List<ClusterManager> after, Reason effect) {
        List<Reason> effects = new ArrayList<>(List.of(effect));
        if (after.size() % 2 == 0) {
            effects.add(ReasonCode.MANAGERS_ARE_EVEN.of(after.size(), after.size() - 1));
        }
        return new Verdict.Do(
                List.of(new MapCommand.SetManagers(view.wanted().generation(), after)),
                Optional.empty(),
                effects);
    }

    private static Optional<Verdict> changing(ManagersView view) {
        if (view.wanted().generation() == 0) {
            return Optional.of(new Verdict.Refuse(ReasonCode.MANAGERS_UNKNOWN.of()));
        }
        if (!view.missing().isEmpty()) {
            return Optional.of(
                    new Verdict.Refuse(ReasonCode.MANAGER_IS_ADDED.of(view.missing().get(0))));
        }
        if (!view.surplus().isEmpty() || !view.stable()) {
            return Optional.of(new Verdict.Refuse(ReasonCode.MANAGERS_ARE_CHANGING.of()));
        }
        return Optional.empty();
    }

    private static Optional<Verdict> taken(
            ManagersView view, ClusterManager manager, Optional<NodeId> replaced) {
        for (ClusterManager each : view.wanted().all()) {
            if (replaced.filter(each.nodeId()::equals).isPresent()) {
                continue;
            }
            if (each.nodeId().equals(manager.nodeId())) {
                return Optional.of(new Verdict.Refuse(ReasonCode.MANAGER_EXISTS.of(each)));
            }
            List<String> addresses = List.of(each.raftAddress(), each.serviceAddress());
            if (addresses.contains(manager.raftAddress())
                    || addresses.contains(manager.serviceAddress())) {
                return Optional.of(new Verdict.Refuse(ReasonCode.MANAGER_HAS_ADDRESS.of(each)));
            }
        }
        return Optional.empty();
    }

    private static Optional<Verdict> tooMany(ManagersView view) {
        return view.wanted().all().size() < MANAGERS_MAX
                ? Optional.empty()
                : Optional.of(
                        new Verdict.Refuse(
                                ReasonCode.TOO_MANY_MANAGERS.of(
                                        (view.wanted().all().size() + 1), MANAGERS_MAX)));
    }

    private static Reason tooFew(long healthy, int size) {
        return ReasonCode.TOO_FEW_MANAGERS.of(healthy, majority(size), size);
    }
}

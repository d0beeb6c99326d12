package io.parterre.manager.plan.request;

import static io.parterre.manager.plan.view.ClusterView.majority;

import io.parterre.manager.map.ClusterManager;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Refusal;
import io.parterre.manager.plan.membership.ManagerSteps;
import io.parterre.manager.plan.membership.ManagersView;
import io.parterre.range.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Judges what operators ask about the managers, without doing it. Stateless; safe for any thread.
 */
public final class ManagerRequests {
    private static final int MANAGERS_MAX = 9;

    private ManagerRequests() {}

    /** Adds a manager, to be taken in once it has come with an empty folder. */
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
        return set(
                view,
                after,
                "manager " + manager + " is taken in once it runs there, with an empty folder");
    }

    /** Has a manager leave for good. */
    public static Verdict remove(ManagersView view, NodeId nodeId) {
        Optional<ClusterManager> known = view.wanted().find(nodeId);
        if (known.isEmpty()) {
            return new Verdict.NotFound(Refusal.of(Refusal.Code.MANAGER_UNKNOWN, nodeId));
        }
        List<ClusterManager> after = without(view, nodeId);
        if (after.isEmpty()) {
            return new Verdict.Refuse(Refusal.of(Refusal.Code.MANAGER_IS_ALONE, nodeId));
        }
        if (view.member(nodeId).isEmpty()) {
            // It takes back an addition; nobody has to agree to that.
            return set(view, after, "manager " + nodeId + " is no longer expected");
        }
        Optional<Verdict> no =
                changing(view).or(() -> ManagerSteps.others(view, nodeId).map(Verdict.Refuse::new));
        return no.orElseGet(() -> set(view, after, "manager " + nodeId + " leaves"));
    }

    /**
     * Has one manager take the place of another, which leaves once the new one is there. Of the
     * same id: leaves first.
     */
    public static Verdict replace(ManagersView view, NodeId old, ClusterManager manager) {
        Optional<ClusterManager> known = view.wanted().find(old);
        if (known.isEmpty()) {
            return new Verdict.NotFound(Refusal.of(Refusal.Code.MANAGER_UNKNOWN, old));
        }
        boolean same = old.equals(manager.nodeId());
        if (same && known.get().hasAddressesOf(manager)) {
            return Verdict.Do.nothing("manager " + manager + " is there already");
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
                        ? "manager "
                                + old
                                + " leaves "
                                + known.get()
                                + " once it runs as "
                                + manager
                                + ", with an empty folder"
                        : "manager "
                                + manager
                                + " is taken in once it runs there, with an empty folder; then "
                                + old
                                + " leaves");
    }

    private static List<ClusterManager> without(ManagersView view, NodeId nodeId) {
        return view.wanted().all().stream().filter(each -> !each.nodeId().equals(nodeId)).toList();
    }

    private static Verdict set(ManagersView view, List<ClusterManager> after, String effect) {
        List<String> effects = new ArrayList<>(List.of(effect));
        if (after.size() % 2 == 0) {
            effects.add(
                    "warning: "
                            + after.size()
                            + " managers bear the loss of no more than "
                            + (after.size() - 1)
                            + " do");
        }
        return new Verdict.Do(
                List.of(new MapCommand.SetManagers(view.wanted().generation(), after)),
                Optional.empty(),
                effects);
    }

    private static Optional<Verdict> changing(ManagersView view) {
        if (view.wanted().generation() == 0) {
            return Optional.of(new Verdict.Refuse(Refusal.of(Refusal.Code.MANAGERS_UNKNOWN)));
        }
        if (!view.missing().isEmpty()) {
            return Optional.of(
                    new Verdict.Refuse(
                            Refusal.of(Refusal.Code.MANAGER_IS_ADDED, view.missing().get(0))));
        }
        if (!view.surplus().isEmpty() || !view.stable()) {
            return Optional.of(new Verdict.Refuse(Refusal.of(Refusal.Code.MANAGERS_ARE_CHANGING)));
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
                return Optional.of(
                        new Verdict.Refuse(Refusal.of(Refusal.Code.MANAGER_EXISTS, each)));
            }
            List<String> addresses = List.of(each.raftAddress(), each.serviceAddress());
            if (addresses.contains(manager.raftAddress())
                    || addresses.contains(manager.serviceAddress())) {
                return Optional.of(
                        new Verdict.Refuse(Refusal.of(Refusal.Code.MANAGER_HAS_ADDRESS, each)));
            }
        }
        return Optional.empty();
    }

    private static Optional<Verdict> tooMany(ManagersView view) {
        return view.wanted().all().size() < MANAGERS_MAX
                ? Optional.empty()
                : Optional.of(
                        new Verdict.Refuse(
                                Refusal.of(
                                        Refusal.Code.TOO_MANY_MANAGERS,
                                        (view.wanted().all().size() + 1),
                                        MANAGERS_MAX)));
    }

    private static Refusal tooFew(long healthy, int size) {
        return Refusal.of(Refusal.Code.TOO_FEW_MANAGERS, healthy, majority(size), size);
    }
}

package io.parterre.manager.plan.membership;

import static io.parterre.manager.plan.view.ClusterView.majority;

import io.parterre.manager.map.ClusterManager;
import io.parterre.manager.plan.membership.ManagersView.Introduced;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.manager.reason.ReasonText;
import io.parterre.range.NodeId;
import io.parterre.release.FeatureLevel;
import io.parterre.release.FeatureLevels;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides how the managers' Raft group gets its wanted members. One member is added or removed at a
 * time. Each step follows from the view alone, so any leader can continue. Stateless and
 * thread-safe.
 */
public final class ManagerSteps {
    private ManagerSteps() {}

    /** The next step. */
    public sealed interface Step {}

    /** The group has the wanted members. */
    public record Settled() implements Step {}

    /** Change the configuration to these members. */
    public record Reconfigure(List<ClusterManager> members, String why) implements Step {
        public Reconfigure {
            members = List.copyOf(members);
        }
    }

    /** Transfer leadership to another manager. */
    public record HandOver(String why) implements Step {}

    /** Do nothing yet. */
    public record Await(String what) implements Step {}

    /**
     * The answer to a manager that introduces itself.
     *
     * @param toConfirm whether the leader has to confirm its leadership before it answers
     */
    public record Reply(Admission admission, String reason, boolean toConfirm) {}

    public static Step next(ManagersView view) {
        if (!view.stable()) {
            return new Await("the members change");
        }
        if (view.strays()) {
            // The next leader sends entries to members only.
            return new HandOver("this leader still sends to one that was taken out");
        }
        for (ClusterManager member : view.members()) {
            Optional<ClusterManager> wanted = view.wanted().find(member.nodeId());
            Optional<Introduced> said = Optional.ofNullable(view.introduced().get(member.nodeId()));
            if (wanted.isPresent()
                    && said.filter(each -> isForgetful(each, member, wanted.get())).isPresent()) {
                return forget(view, member);
            }
        }
        List<ClusterManager> missing = view.missing();
        for (ClusterManager each : missing) {
            if (view.member(each.nodeId()).isEmpty() && listens(view, each)) {
                return add(view, view.introduced().get(each.nodeId()).manager());
            }
        }
        if (!missing.isEmpty()) {
            return new Await(
                    "manager " + missing.get(0) + " has not come with an empty folder yet");
        }
        return view.surplus().isEmpty() ? new Settled() : remove(view, view.surplus().get(0));
    }

    /**
     * Returns whether the manager came with an empty folder that is not the folder of its
     * membership.
     */
    private static boolean isForgetful(
            Introduced said, ClusterManager member, ClusterManager wanted) {
        return said.phase() == ManagerPhase.NEW
                && said.manager().hasAddressesOf(wanted)
                && !isWith(member, said);
    }

    /**
     * Returns whether the manager is a member with the folder that it introduces. Its other claims
     * may be outdated.
     */
    private static boolean isWith(ClusterManager member, Introduced said) {
        return !member.incarnation().isEmpty()
                && member.incarnation().equals(said.manager().incarnation());
    }

    private static boolean listens(ManagersView view, ClusterManager wanted) {
        return Optional.ofNullable(view.introduced().get(wanted.nodeId()))
                .filter(said -> said.phase() == ManagerPhase.JOINING)
                .filter(said -> said.groupId().equals(Optional.of(view.groupId())))
                .filter(said -> said.manager().hasAddressesOf(wanted))
                .isPresent();
    }

    private static Step forget(ManagersView view, ClusterManager member) {
        return others(view, member.nodeId())
                .<Step>map(why -> new Await(ReasonText.of(why)))
                .orElseGet(
                        () ->
                                new Reconfigure(
                                        view.without(member.nodeId()),
                                        "manager "
                                                + member.nodeId()
                                                + " came with an empty folder: it is taken out"
                                                + " before it is taken in"));
    }

    private static Step add(ManagersView view, ClusterManager joining) {
        List<ClusterManager> members = new ArrayList<>(view.members());
        members.add(joining);
        if (view.healthyAmong(view.members()) + 1 < majority(members.size())) {
            return new Await(
                    "manager "
                            + joining.nodeId()
                            + " joins once more of the others answer: too few for a majority of "
                            + members.size());
        }
        return new Reconfigure(members, "manager " + joining.nodeId() + " joins");
    }

    private static Step remove(ManagersView view, ClusterManager leaving) {
        Optional<Reason> why = others(view, leaving.nodeId());
        if (why.isPresent()) {
            return new Await(ReasonText.of(why.get()));
        }
        return leaving.nodeId().equals(view.self())
                ? new HandOver("manager " + leaving.nodeId() + " leaves and leads")
                : new Reconfigure(
                        view.without(leaving.nodeId()), "manager " + leaving.nodeId() + " leaves");
    }

    /** Returns why the group cannot go on without the manager; empty if it can. */
    public static Optional<Reason> others(ManagersView view, NodeId without) {
        List<ClusterManager> rest = view.without(without);
        // A majority of both the present members and the remaining ones has to agree.
        int needed = Math.max(majority(view.members().size()), majority(rest.size()));
        long healthy = view.healthyAmong(rest);
        return !rest.isEmpty() && healthy >= needed
                ? Optional.empty()
                : Optional.of(ReasonCode.MANAGER_IS_NEEDED.of(without, needed, healthy));
    }

    /** Returns the answer to a manager that introduces itself. */
    public static Reply word(ManagersView view, Introduced said) {
        NodeId nodeId = said.manager().nodeId();
        Optional<ClusterManager> wanted = view.wanted().find(nodeId);
        Optional<ClusterManager> member = view.member(nodeId);
        boolean with = member.filter(each -> isWith(each, said)).isPresent();
        return switch (said.phase()) {
            case NEW, FOUNDING -> ofEmpty(view, said, wanted);
            case JOINING -> {
                if (wanted.isEmpty()) {
                    yield notWanted(nodeId);
                }
                yield with && view.stable()
                        ? new Reply(Admission.IS_MEMBER, "", false)
                        : new Reply(Admission.WAIT, "it is being taken in", false);
            }
            case MEMBER -> {
                // The member is known by its id alone, in a group from before folders had
                // incarnations.
                boolean named =
                        member.filter(each -> each.incarnation().isEmpty()).isPresent()
                                && said.manager().incarnation().isEmpty();
                if (with || named || !view.stable()) {
                    yield new Reply(Admission.IS_MEMBER, "", false);
                }
                yield new Reply(
                        Admission.OUT,
                        member.isPresent()
                                ? "another data folder took the place of this one of manager "
                                        + nodeId
                                : "manager " + nodeId + " was taken out of the group",
                        true);
            }
        };
    }

    private static Reply ofEmpty(
            ManagersView view, Introduced said, Optional<ClusterManager> wanted) {
        NodeId nodeId = said.manager().nodeId();
        if (wanted.isEmpty()) {
            return notWanted(nodeId);
        }
        if (!said.manager().hasAddressesOf(wanted.get())) {
            return new Reply(
                    Admission.NOT_WANTED,
                    "the cluster knows manager "
                            + wanted.get()
                            + ", and this one is "
                            + said.manager()
                            + ": parterre manager replace changes its addresses",
                    false);
        }
        if (view.member(nodeId).isPresent() || !view.stable() || view.strays()) {
            return new Reply(
                    Admission.WAIT,
                    "its folder is empty: it is taken out of the group before it is taken in, "
                            + others(view, nodeId).map(ReasonText::of).orElse("which is under way"),
                    false);
        }
        return new Reply(Admission.LISTEN, "", true);
    }

    /**
     * Returns the answer to a manager outside of the group that cannot read what managers write;
     * empty if it can.
     *
     * @param levels that it reads
     * @param level of the cluster
     */
    public static Optional<Reply> unreadable(
            Introduced said, FeatureLevels levels, FeatureLevel level) {
        return said.phase() == ManagerPhase.MEMBER || levels.reads(level)
                ? Optional.empty()
                : Optional.of(
                        new Reply(
                                Admission.NOT_WANTED,
                                "manager "
                                        + said.manager().nodeId()
                                        + " reads feature level "
                                        + levels
                                        + ", and the cluster has "
                                        + level
                                        + ": start it with a release that reads that",
                                false));
    }

    private static Reply notWanted(NodeId nodeId) {
        return new Reply(
                Admission.NOT_WANTED,
                "the cluster does not want a manager "
                        + nodeId
                        + " (expected: parterre manager add, or this process to be stopped)",
                false);
    }
}

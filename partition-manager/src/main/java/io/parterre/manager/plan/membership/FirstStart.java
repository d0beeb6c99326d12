package io.parterre.manager.plan.membership;

import static io.parterre.manager.plan.view.ClusterView.majority;

import io.parterre.manager.map.ClusterManager;
import io.parterre.range.NodeId;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Decides whether a manager may vote. Stateless and thread-safe.
 *
 * <p>A manager with an empty folder has either never voted, or has forgotten its votes. In the
 * second case its vote could elect a leader that lacks acknowledged entries. So such a manager
 * bootstraps a group only if none of the others knows of one. It votes in a group that others have
 * bootstrapped only if they counted on this very folder, which cannot have voted before. In any
 * other case it waits until the group's leader has removed its former self from the configuration.
 *
 * <p>Two bootstraps never mix: each creates a Raft group of its own, and a folder votes in one of
 * them. If two happen by mistake, at most one finds a majority of the folders that it counts on.
 */
public final class FirstStart {
    private FirstStart() {}

    /** The decision. */
    public sealed interface Decision {}

    /** Bootstrap a group with these founders. */
    public record Found(List<ClusterManager> founders) implements Decision {
        public Found {
            founders = List.copyOf(founders);
        }
    }

    /**
     * Vote in the group that another manager has bootstrapped, with this folder among its founders.
     */
    public record Adopt(UUID groupId, List<ClusterManager> founders) implements Decision {
        public Adopt {
            founders = List.copyOf(founders);
        }
    }

    /** Receive the log from the group's leader, without a vote. */
    public record Join(UUID groupId) implements Decision {}

    /** Become a member, because the leader has added this manager. */
    public record BecomeMember() implements Decision {}

    /** Discard the folder's content, which is obsolete, and begin with an empty folder. */
    public record StartOver(String why) implements Decision {}

    /** Go on in the present phase. */
    public record Stay() implements Decision {}

    /** Do nothing yet. */
    public record Wait(String why) implements Decision {}

    /**
     * Another manager's answer.
     *
     * @param members of its group, as far as it knows
     * @param seeds the managers of its configuration at its start
     */
    public record ManagerReply(
            ClusterManager manager,
            ManagerPhase phase,
            Optional<UUID> groupId,
            List<ClusterManager> founders,
            List<ClusterManager> members,
            List<NodeId> seeds,
            Admission admission,
            String reason) {
        public ManagerReply {
            founders = List.copyOf(founders);
            members = List.copyOf(members);
            seeds = List.copyOf(seeds);
        }

        NodeId nodeId() {
            return manager.nodeId();
        }
    }

    /**
     * Decides.
     *
     * @param self this manager, with its incarnation
     * @param seeds all managers, in the order of this manager's configuration
     * @param without managers that an operator vouches for: they hold nothing and need not answer
     * @param heard the others' answers, by id
     */
    public static Decision decide(
            ClusterManager self,
            ManagerStanding standing,
            List<ClusterManager> seeds,
            Set<NodeId> without,
            Map<NodeId, ManagerReply> heard) {
        return switch (standing.phase()) {
            case NEW -> ofNew(self, seeds, without, heard);
            case FOUNDING -> ofFounding(standing, heard);
            case JOINING -> ofJoining(standing, heard);
            case MEMBER ->
                    word(standing, heard, Admission.OUT)
                            .<Decision>map(out -> new StartOver(out.reason()))
                            .orElseGet(Stay::new);
        };
    }

    private static Decision ofNew(
            ClusterManager self,
            List<ClusterManager> seeds,
            Set<NodeId> without,
            Map<NodeId, ManagerReply> heard) {
        Map<UUID, List<ManagerReply>> established = groups(heard, ManagerPhase.MEMBER);
        if (established.size() > 1) {
            return new Wait(
                    "the other managers belong to different clusters: "
                            + names(heard, ManagerPhase.MEMBER));
        }
        if (!established.isEmpty()) {
            return ofNewBeside(self, established.values().iterator().next());
        }
        Optional<ManagerReply> counting =
                heard.values().stream()
                        .filter(each -> each.phase() == ManagerPhase.FOUNDING)
                        .filter(
                                each ->
                                        ManagerStanding.counts(
                                                each.founders(), self.nodeId(), self.incarnation()))
                        // Any group will do. All managers that ask choose the same one, so it gets
                        // a majority.
                        .min(Comparator.comparing(each -> each.groupId().orElseThrow()));
        if (counting.isPresent()) {
            return new Adopt(counting.get().groupId().orElseThrow(), counting.get().founders());
        }
        Optional<ManagerReply> inGroup =
                heard.values().stream()
                        .filter(each -> each.phase() != ManagerPhase.NEW)
                        .min(Comparator.comparing(ManagerReply::nodeId));
        if (inGroup.isPresent()) {
            return new Wait(
                    "manager "
                            + inGroup.get().nodeId()
                            + " belongs to a group that does not count on this folder and has no"
                            + " leader: most of its members have to be there");
        }
        return ofNewAmongNew(self, seeds, without, heard);
    }

    /** Decides for a new manager if a cluster exists. */
    private static Decision ofNewBeside(ClusterManager self, List<ManagerReply> members) {
        for (ManagerReply each : members) {
            if (ManagerStanding.counts(each.founders(), self.nodeId(), self.incarnation())) {
                return new Adopt(each.groupId().orElseThrow(), each.founders());
            }
        }
        Optional<ManagerReply> leader =
                members.stream().filter(each -> each.admission() != Admission.NONE).findFirst();
        if (leader.isEmpty()) {
            return new Wait(
                    "manager "
                            + members.get(0).nodeId()
                            + " belongs to a cluster already, and no manager that leads answers:"
                            + " this one is empty and has no vote until most of the others are"
                            + " there");
        }
        return leader.get().admission() == Admission.LISTEN
                ? new Join(leader.get().groupId().orElseThrow())
                : new Wait(leader.get().reason());
    }

    private static Decision ofNewAmongNew(
            ClusterManager self,
            List<ClusterManager> seeds,
            Set<NodeId> without,
            Map<NodeId, ManagerReply> heard) {
        List<NodeId> ids = seeds.stream().map(ClusterManager::nodeId).toList();
        for (NodeId id : ids) {
            Optional<ManagerReply> answer = Optional.ofNullable(heard.get(id));
            boolean vouchedFor = without.contains(id) || id.equals(self.nodeId());
            if (answer.isEmpty() && !vouchedFor) {
                return new Wait(
                        "manager "
                                + id
                                + " does not answer, so that nobody knows whether there is a"
                                + " cluster already");
            }
            if (answer.isPresent() && !Set.copyOf(answer.get().seeds()).equals(Set.copyOf(ids))) {
                return new Wait(
                        "manager "
                                + id
                                + " was told of the managers "
                                + answer.get().seeds()
                                + " (expected: "
                                + ids
                                + ")");
            }
        }
        // The founder is the same in any order of the list, because two groups must not be
        // bootstrapped at once.
        NodeId founder =
                ids.stream()
                        .filter(id -> !without.contains(id))
                        .min(Comparator.naturalOrder())
                        .orElse(self.nodeId());
        if (!founder.equals(self.nodeId())) {
            return new Wait("manager " + founder + " founds the group of managers");
        }
        return new Found(
                seeds.stream()
                        .map(
                                seed ->
                                        seed.nodeId().equals(self.nodeId())
                                                ? self
                                                : seed.withIncarnation(
                                                        Optional.ofNullable(
                                                                        heard.get(seed.nodeId()))
                                                                .map(ManagerReply::manager)
                                                                .map(ClusterManager::incarnation)
                                                                .orElse("")))
                        .toList());
    }

    /**
     * Ends a bootstrap that can never reach its majority, because too many founders belong to other
     * groups.
     */
    private static Decision ofFounding(ManagerStanding standing, Map<NodeId, ManagerReply> heard) {
        int mayVote = 1;
        for (ClusterManager founder : standing.founders()) {
            if (founder.incarnation().equals(standing.incarnation())) {
                continue;
            }
            ManagerReply answer = heard.get(founder.nodeId());
            if (answer == null
                    || answer.groupId().equals(standing.groupId())
                    || (answer.phase() == ManagerPhase.NEW
                            && answer.manager().incarnation().equals(founder.incarnation()))) {
                mayVote++;
            }
        }
        return mayVote < majority(standing.founders().size())
                ? new StartOver("most managers that were to found the group belong to another one")
                : new Stay();
    }

    private static Decision ofJoining(ManagerStanding standing, Map<NodeId, ManagerReply> heard) {
        if (word(standing, heard, Admission.IS_MEMBER).isPresent()) {
            return new BecomeMember();
        }
        return word(standing, heard, Admission.NOT_WANTED)
                .<Decision>map(refusal -> new StartOver(refusal.reason()))
                .orElseGet(Stay::new);
    }

    /**
     * Returns the answer of the own group's leader, if it is this one. Answers of other groups do
     * not count.
     */
    private static Optional<ManagerReply> word(
            ManagerStanding standing, Map<NodeId, ManagerReply> heard, Admission admission) {
        return heard.values().stream()
                .filter(each -> each.admission() == admission)
                .filter(each -> each.groupId().equals(standing.groupId()))
                .findFirst();
    }

    private static Map<UUID, List<ManagerReply>> groups(
            Map<NodeId, ManagerReply> heard, ManagerPhase phase) {
        return heard.values().stream()
                .filter(each -> each.phase() == phase)
                .collect(
                        Collectors.groupingBy(
                                each -> each.groupId().orElseThrow(),
                                TreeMap::new,
                                Collectors.toList()));
    }

    private static String names(Map<NodeId, ManagerReply> heard, ManagerPhase phase) {
        return heard.values().stream()
                .filter(each -> each.phase() == phase)
                .map(each -> each.nodeId() + " to " + each.groupId().orElseThrow())
                .sorted()
                .collect(Collectors.joining(", "));
    }
}

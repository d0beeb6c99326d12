package io.parterre.manager.plan.membership;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.map.ClusterManager;
import io.parterre.manager.plan.membership.FirstStart.ManagerReply;
import io.parterre.range.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/**
 * Three managers that start for the first time, die, come back and lose their folders, with answers
 * that are as old as chance has it. A group is led once a majority of the folders it was founded
 * with votes in it at the same time; then it has committed something.
 */
final class FirstStartSim {
    private static final List<ClusterManager> LIST = List.of(manager(1), manager(2), manager(3));

    private static ClusterManager manager(int n) {
        return new ClusterManager(new NodeId("m" + n), "r:" + n, "s:" + n, "");
    }

    private static final class Manager {
        final ClusterManager name;
        ManagerStanding standing;
        boolean up = true;

        Manager(ClusterManager name) {
            this.name = name;
        }

        ClusterManager self() {
            return name.withIncarnation(standing.incarnation());
        }
    }

    private final List<Manager> managers = new ArrayList<>();
    private final Random random;

    /** Groups that were led once, with the folders that had votes in them then. */
    private final Map<UUID, Set<String>> led = new HashMap<>();

    private final Set<String> lost = new HashSet<>();
    private long nextId;

    FirstStartSim(long seed) {
        random = new Random(seed);
        for (ClusterManager each : LIST) {
            Manager manager = new Manager(each);
            manager.standing = ManagerStanding.fresh(folder());
            managers.add(manager);
        }
    }

    private String folder() {
        return "i" + nextId++;
    }

    private static ManagerReply answer(Manager manager, Admission admission) {
        return new ManagerReply(
                manager.self(),
                manager.standing.phase(),
                manager.standing.groupId(),
                manager.standing.founders(),
                List.of(),
                LIST.stream().map(ClusterManager::nodeId).toList(),
                admission,
                "");
    }

    /** Answers as they are now; the one that decides does so later. */
    private Map<NodeId, ManagerReply> ask(Manager asking) {
        Map<NodeId, ManagerReply> heard = new HashMap<>();
        for (Manager each : managers) {
            if (each != asking && each.up) {
                heard.put(each.name.nodeId(), answer(each, Admission.NONE));
            }
        }
        return heard;
    }

    private void decide(Manager manager, Map<NodeId, ManagerReply> heard) {
        FirstStart.Decision decision =
                FirstStart.decide(manager.self(), manager.standing, LIST, Set.of(), heard);
        if (decision instanceof FirstStart.Found found) {
            manager.standing = manager.standing.founding(new UUID(nextId++, 0), found.founders());
        } else if (decision instanceof FirstStart.Adopt adopt) {
            manager.standing = manager.standing.founding(adopt.groupId(), adopt.founders());
        } else if (decision instanceof FirstStart.StartOver) {
            lose(manager);
        }
    }

    private void lose(Manager manager) {
        lost.add(manager.standing.incarnation());
        manager.standing = ManagerStanding.fresh(folder());
    }

    /** What Raft would do: a majority of the folders that a group counts on elects and commits. */
    private void elect() {
        for (Manager candidate : managers) {
            if (candidate.standing.phase() == ManagerPhase.NEW) {
                continue;
            }
            UUID group = candidate.standing.groupId().orElseThrow();
            List<Manager> voters =
                    managers.stream()
                            .filter(each -> each.up)
                            .filter(each -> each.standing.groupId().equals(Optional.of(group)))
                            .toList();
            for (Manager voter : voters) {
                assertThat(voter.standing.founders())
                        .as("votes only where this very folder was counted on")
                        .contains(voter.self());
            }
            if (voters.size() >= 2) {
                led.computeIfAbsent(group, id -> new HashSet<>())
                        .addAll(voters.stream().map(each -> each.standing.incarnation()).toList());
                voters.forEach(each -> each.standing = each.standing.member());
            }
        }
    }

    /** Whether what a group has committed is still anywhere that could be asked for it. */
    private boolean isForgotten(UUID group) {
        return lost.containsAll(led.get(group));
    }

    /** Some moments of all that. */
    void run() {
        Map<Manager, Map<NodeId, ManagerReply>> asked = new HashMap<>();
        for (int step = 0; step < 150; step++) {
            Manager one = managers.get(random.nextInt(3));
            switch (random.nextInt(8)) {
                case 0 -> {
                    one.up = false;
                    asked.remove(one);
                }
                case 1, 2 -> one.up = true;
                case 3 -> {
                    if (!one.up && random.nextBoolean()) {
                        lose(one);
                    }
                }
                default -> {
                    if (one.up) {
                        Optional.ofNullable(asked.remove(one))
                                .ifPresentOrElse(
                                        heard -> decide(one, heard),
                                        () -> asked.put(one, ask(one)));
                    }
                }
            }
            if (random.nextBoolean()) {
                elect();
            }
            assertThat(groups())
                    .as("groups that have committed something and are still remembered")
                    .isLessThanOrEqualTo(1);
        }
    }

    /** Leaders take in the managers that wait for them; here that is a matter of course. */
    void settle() {
        managers.forEach(each -> each.up = true);
        for (int round = 0; round < 12; round++) {
            for (Manager each : managers) {
                decide(each, ask(each));
            }
            elect();
        }
    }

    /** Groups that have committed something that is still remembered. */
    long groups() {
        return led.keySet().stream().filter(group -> !isForgotten(group)).count();
    }

    long waiting() {
        return managers.stream().filter(each -> each.standing.phase() == ManagerPhase.NEW).count();
    }

    long members() {
        return managers.stream()
                .filter(each -> each.standing.phase() == ManagerPhase.MEMBER)
                .count();
    }
}

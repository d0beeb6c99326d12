package io.parterre.manager.plan.membership;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.map.ClusterManager;
import io.parterre.manager.plan.membership.FirstStart.Decision;
import io.parterre.manager.plan.membership.FirstStart.ManagerReply;
import io.parterre.range.NodeId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class FirstStartTest {
    private static final UUID G = new UUID(0, 1);
    private static final UUID LATER = new UUID(0, 2);
    private static final List<ClusterManager> SEEDS =
            List.of(manager(1, ""), manager(2, ""), manager(3, ""));
    private static final List<ClusterManager> FOUNDERS =
            List.of(manager(1, "i1"), manager(2, "i2"), manager(3, "i3"));

    private final Map<NodeId, ManagerReply> heard = new HashMap<>();

    private static ClusterManager manager(int n, String incarnation) {
        return new ClusterManager(id(n), "r:" + n, "s:" + n, incarnation);
    }

    private static NodeId id(int n) {
        return new NodeId("m" + n);
    }

    private void says(
            int n,
            String incarnation,
            ManagerPhase phase,
            UUID group,
            List<ClusterManager> founders,
            Admission admission) {
        heard.put(
                id(n),
                new ManagerReply(
                        manager(n, incarnation),
                        phase,
                        Optional.ofNullable(group),
                        founders,
                        List.of(),
                        SEEDS.stream().map(ClusterManager::nodeId).toList(),
                        admission,
                        "because"));
    }

    private void isNew(int n, String incarnation) {
        says(n, incarnation, ManagerPhase.NEW, null, List.of(), Admission.NONE);
    }

    private Decision ofNew(int n, String incarnation, Integer... without) {
        return FirstStart.decide(
                manager(n, incarnation),
                ManagerStanding.fresh(incarnation),
                SEEDS,
                Set.of(List.of(without).stream().map(FirstStartTest::id).toArray(NodeId[]::new)),
                heard);
    }

    private Decision of(int n, ManagerStanding standing) {
        return FirstStart.decide(
                manager(n, standing.incarnation()), standing, SEEDS, Set.of(), heard);
    }

    private static void assertWaits(Decision decision, String why) {
        assertThat(decision)
                .isInstanceOfSatisfying(
                        FirstStart.Wait.class, wait -> assertThat(wait.why()).contains(why));
    }

    @Test
    void managerBootstrapsAtOnce_whenItIsTheOnlyOneListed() {
        List<ClusterManager> alone = List.of(manager(1, ""));
        assertThat(
                        FirstStart.decide(
                                manager(1, "i1"),
                                ManagerStanding.fresh("i1"),
                                alone,
                                Set.of(),
                                Map.of()))
                .isEqualTo(new FirstStart.Found(List.of(manager(1, "i1"))));
    }

    @Test
    void firstListedManagerBootstraps_whenAllListedAreNew() {
        isNew(2, "i2");
        assertWaits(ofNew(1, "i1"), "manager m3 does not answer");
        isNew(3, "i3");
        assertThat(ofNew(1, "i1")).isEqualTo(new FirstStart.Found(FOUNDERS));

        heard.remove(id(2));
        isNew(1, "i1");
        assertWaits(ofNew(2, "i2"), "manager m1 founds");
    }

    @Test
    void bootstrapWaits_whileAnyManagerKnowsAGroup() {
        isNew(2, "i2");
        says(3, "i3", ManagerPhase.JOINING, G, List.of(), Admission.NONE);
        assertWaits(ofNew(1, "i1"), "manager m3 belongs to a group");
        assertWaits(ofNew(1, "i1", 2), "manager m3 belongs to a group");
    }

    @Test
    void bootstrapWaits_whenManagerListsDiffer() {
        isNew(2, "i2");
        heard.put(
                id(3),
                new ManagerReply(
                        manager(3, "i3"),
                        ManagerPhase.NEW,
                        Optional.empty(),
                        List.of(),
                        List.of(),
                        List.of(id(3), id(4)),
                        Admission.NONE,
                        ""));
        assertWaits(ofNew(1, "i1"), "manager m3 was told of the managers [m3, m4]");
    }

    @Test
    void bootstrapProceedsWithoutSilentManager_whenOperatorAllows() {
        isNew(2, "i2");
        assertThat(ofNew(1, "i1", 3))
                .isEqualTo(
                        new FirstStart.Found(
                                List.of(manager(1, "i1"), manager(2, "i2"), manager(3, ""))));
        heard.clear();
        isNew(3, "i3");
        assertThat(ofNew(2, "i2", 1))
                .as("the next one founds in the place of the first")
                .isEqualTo(
                        new FirstStart.Found(
                                List.of(manager(1, ""), manager(2, "i2"), manager(3, "i3"))));
        says(1, "x", ManagerPhase.MEMBER, G, List.of(), Admission.NONE);
        assertWaits(ofNew(2, "i2", 1), "manager m1 belongs to a cluster already");
    }

    @Test
    void managerAdoptsGroup_whenBootstrapCountedItsDataFolder() {
        says(1, "i1", ManagerPhase.FOUNDING, G, FOUNDERS, Admission.NONE);
        assertThat(ofNew(2, "i2")).isEqualTo(new FirstStart.Adopt(G, FOUNDERS));
        says(1, "i1", ManagerPhase.MEMBER, G, FOUNDERS, Admission.WAIT);
        assertThat(ofNew(2, "i2"))
                .as("late, but it has never voted")
                .isEqualTo(new FirstStart.Adopt(G, FOUNDERS));
        assertThat(ofNew(2, "another"))
                .as("that folder may have voted, and is gone")
                .isEqualTo(new FirstStart.Wait("because"));
    }

    @Test
    void managerAdoptsLowestGroupId_whenTwoBootstrapsCompete() {
        says(1, "i1", ManagerPhase.FOUNDING, LATER, FOUNDERS, Admission.NONE);
        says(2, "i2", ManagerPhase.FOUNDING, G, FOUNDERS, Admission.NONE);
        assertThat(ofNew(3, "i3")).isEqualTo(new FirstStart.Adopt(G, FOUNDERS));
    }

    @Test
    void wipedManagerJoinsGroup_whenLeaderAdmitsItAsListener() {
        says(2, "i2", ManagerPhase.MEMBER, G, FOUNDERS, Admission.NONE);
        isNew(3, "another");
        assertWaits(ofNew(1, "new"), "has no vote until most of the others are there");

        says(2, "i2", ManagerPhase.MEMBER, G, FOUNDERS, Admission.WAIT);
        assertWaits(ofNew(1, "new"), "because");

        says(2, "i2", ManagerPhase.MEMBER, G, FOUNDERS, Admission.LISTEN);
        assertThat(ofNew(1, "new")).isEqualTo(new FirstStart.Join(G));
    }

    @Test
    void bootstrapWaits_whenPeersBelongToDifferentClusters() {
        says(2, "i2", ManagerPhase.MEMBER, G, List.of(), Admission.LISTEN);
        says(3, "i3", ManagerPhase.MEMBER, LATER, FOUNDERS, Admission.LISTEN);
        assertWaits(ofNew(1, "i1"), "belong to different clusters");
    }

    @Test
    void bootstrapIsAborted_whenItCanNoLongerReachMajority() {
        ManagerStanding founding = ManagerStanding.fresh("i1").founding(G, FOUNDERS);
        assertThat(of(1, founding)).isEqualTo(new FirstStart.Stay());
        isNew(2, "i2");
        isNew(3, "another");
        assertThat(of(1, founding)).as("m2 may yet come").isEqualTo(new FirstStart.Stay());
        isNew(2, "other too");
        assertThat(of(1, founding)).isInstanceOf(FirstStart.StartOver.class);
        says(2, "i2", ManagerPhase.FOUNDING, G, FOUNDERS, Admission.NONE);
        assertThat(of(1, founding)).isEqualTo(new FirstStart.Stay());
        says(2, "i2", ManagerPhase.MEMBER, LATER, FOUNDERS, Admission.NONE);
        assertThat(of(1, founding)).isInstanceOf(FirstStart.StartOver.class);
        heard.remove(id(2));
        assertThat(of(1, founding)).as("m2 may have voted").isEqualTo(new FirstStart.Stay());
    }

    @Test
    void joiningManagerBecomesMember_whenItsGroupLeaderConfirms() {
        ManagerStanding joining = ManagerStanding.fresh("i1").joining(G);
        says(2, "i2", ManagerPhase.MEMBER, G, FOUNDERS, Admission.WAIT);
        assertThat(of(1, joining)).isEqualTo(new FirstStart.Stay());
        says(2, "i2", ManagerPhase.MEMBER, LATER, FOUNDERS, Admission.IS_MEMBER);
        assertThat(of(1, joining)).isEqualTo(new FirstStart.Stay());
        says(2, "i2", ManagerPhase.MEMBER, G, FOUNDERS, Admission.IS_MEMBER);
        assertThat(of(1, joining)).isEqualTo(new FirstStart.BecomeMember());
        says(2, "i2", ManagerPhase.MEMBER, G, FOUNDERS, Admission.NOT_WANTED);
        assertThat(of(1, joining)).isEqualTo(new FirstStart.StartOver("because"));
    }

    @Test
    void expelledManagerStartsOver_whenItsOwnLeaderConfirms() {
        ManagerStanding member =
                ManagerStanding.fresh("i1").founding(G, FOUNDERS).withMembers(FOUNDERS);
        assertThat(of(1, member)).isEqualTo(new FirstStart.Stay());
        says(2, "i2", ManagerPhase.MEMBER, LATER, List.of(), Admission.OUT);
        assertThat(of(1, member)).as("another cluster").isEqualTo(new FirstStart.Stay());
        says(2, "i2", ManagerPhase.MEMBER, G, FOUNDERS, Admission.OUT);
        assertThat(of(1, member)).isEqualTo(new FirstStart.StartOver("because"));
    }
}

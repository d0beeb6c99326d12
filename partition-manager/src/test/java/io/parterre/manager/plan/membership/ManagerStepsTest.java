package io.parterre.manager.plan.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.parterre.manager.map.ClusterManager;
import io.parterre.manager.map.Managers;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.plan.membership.ManagerSteps.Await;
import io.parterre.manager.plan.membership.ManagerSteps.HandOver;
import io.parterre.manager.plan.membership.ManagerSteps.Reconfigure;
import io.parterre.manager.plan.membership.ManagerSteps.Settled;
import io.parterre.manager.plan.membership.ManagerSteps.Step;
import io.parterre.manager.plan.membership.ManagersView.Introduced;
import io.parterre.manager.plan.request.ManagerRequests;
import io.parterre.manager.plan.request.Verdict;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.manager.reason.ReasonText;
import io.parterre.range.NodeId;
import io.parterre.release.FeatureLevel;
import io.parterre.release.FeatureLevels;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Manager 1 leads. */
class ManagerStepsTest {
    private static final UUID G = new UUID(0, 1);
    private List<ClusterManager> members = managers(1, 2, 3);
    private List<ClusterManager> wanted = managers(1, 2, 3);
    private final Set<NodeId> healthy = new HashSet<>(Set.of(id(1), id(2), id(3)));
    private final Map<NodeId, Introduced> introduced = new HashMap<>();
    private boolean stable = true;
    private boolean strays;

    private static NodeId id(int n) {
        return new NodeId("m" + n);
    }

    private static ClusterManager manager(int n) {
        return new ClusterManager(id(n), "r:" + n, "s:" + n, "");
    }

    private static List<ClusterManager> managers(int... n) {
        return Arrays.stream(n).mapToObj(ManagerStepsTest::manager).toList();
    }

    private static Introduced said(ClusterManager who, ManagerPhase phase) {
        return new Introduced(
                who.withIncarnation("new"),
                phase,
                phase == ManagerPhase.NEW ? Optional.empty() : Optional.of(G));
    }

    private void says(ClusterManager who, ManagerPhase phase) {
        introduced.put(who.nodeId(), said(who, phase));
    }

    private ManagersView view() {
        return new ManagersView(
                id(1), G, members, stable, strays, new Managers(4, wanted), introduced, healthy);
    }

    private Step next() {
        return ManagerSteps.next(view());
    }

    private void assertMembers(Step step, int... expected) {
        assertThat(step)
                .isInstanceOfSatisfying(
                        Reconfigure.class,
                        change -> assertThat(change.members()).isEqualTo(managers(expected)));
    }

    private static void assertWaits(Step step, String what) {
        assertThat(step)
                .isInstanceOfSatisfying(
                        Await.class, await -> assertThat(await.what()).contains(what));
    }

    private static void assertRefused(Verdict verdict, String why) {
        assertThat(verdict)
                .isInstanceOfSatisfying(
                        Verdict.Refuse.class,
                        no -> assertThat(ReasonText.of(no.why())).contains(why));
    }

    private static List<ClusterManager> after(Verdict verdict) {
        MapCommand.SetManagers set =
                (MapCommand.SetManagers) ((Verdict.Do) verdict).commands().get(0);
        assertThat(set.decidedAt()).isEqualTo(4);
        return set.managers();
    }

    @Test
    void silentListNamesMembersAndExpectedManagers_whenUnheard() {
        assertThat(view().silent()).isEmpty();
        healthy.remove(id(3));
        wanted = managers(1, 2, 3, 4, 5);
        says(manager(5), ManagerPhase.NEW);
        assertThat(view().silent()).containsExactly(id(3), id(4));
        assertThat(view().all()).containsExactly(id(1), id(2), id(3), id(4), id(5));
    }

    @Test
    void groupIsLeftUnchanged_whenItMatchesTheWantedManagers() {
        assertThat(next()).isEqualTo(new Settled());
    }

    @Test
    void wipedMemberIsRemoved_beforeItRejoins() {
        says(manager(3), ManagerPhase.NEW);
        healthy.remove(id(3));
        assertMembers(next(), 1, 2);

        members = managers(1, 2);
        assertWaits(next(), "manager m3=r:3/s:3 has not come");
        assertThat(ManagerSteps.word(view(), said(manager(3), ManagerPhase.NEW)))
                .isEqualTo(new ManagerSteps.Reply(Admission.LISTEN, "", true));
        says(manager(3), ManagerPhase.JOINING);
        assertThat(((Reconfigure) next()).members())
                .containsExactly(manager(1), manager(2), manager(3).withIncarnation("new"));
    }

    @Test
    void wipedMemberWaits_untilMajorityOfOthersAnswers() {
        says(manager(3), ManagerPhase.NEW);
        healthy.removeAll(Set.of(id(2), id(3)));
        assertWaits(next(), "manager m3 can leave only if 2 of the others answer: 1 do");
        ManagerSteps.Reply word = ManagerSteps.word(view(), said(manager(3), ManagerPhase.NEW));
        assertThat(word.admission()).isEqualTo(Admission.WAIT);
        assertThat(word.reason()).contains("only if 2 of the others answer: 1 do");
    }

    @Test
    void staleReportOfMemberIsIgnored_afterItRejoined() {
        members = List.of(manager(1), manager(2), manager(3).withIncarnation("new"));
        says(manager(3), ManagerPhase.NEW);
        assertThat(next()).isEqualTo(new Settled());
        says(manager(3), ManagerPhase.JOINING);
        assertThat(next()).isEqualTo(new Settled());
    }

    @Test
    void emptyManagerIsNotWanted_whenItCannotReadTheClusterLevel() {
        Introduced fresh = said(manager(3), ManagerPhase.NEW);
        assertThat(ManagerSteps.unreadable(fresh, FeatureLevels.UNTOLD, new FeatureLevel(2)))
                .hasValueSatisfying(
                        word -> {
                            assertThat(word.admission()).isEqualTo(Admission.NOT_WANTED);
                            assertThat(word.reason())
                                    .contains("manager m3 reads feature level 1, and the cluster");
                        });
        assertThat(ManagerSteps.unreadable(fresh, FeatureLevels.UNTOLD, FeatureLevel.FIRST))
                .isEmpty();
        assertThat(
                        ManagerSteps.unreadable(
                                said(manager(3), ManagerPhase.MEMBER),
                                FeatureLevels.UNTOLD,
                                new FeatureLevel(2)))
                .as("its log tells it")
                .isEmpty();
    }

    @Test
    void groupChangeWaits_whileAnotherChangeIsRunning() {
        stable = false;
        says(manager(3), ManagerPhase.NEW);
        assertWaits(next(), "the members change");
    }

    @Test
    void replacedManagerIsRemoved_afterItsReplacementHasJoined() {
        wanted = managers(1, 2, 4);
        assertWaits(next(), "manager m4=r:4/s:4 has not come");
        says(manager(4), ManagerPhase.JOINING);
        assertThat(((Reconfigure) next()).members())
                .containsExactly(
                        manager(1), manager(2), manager(3), manager(4).withIncarnation("new"));
        members = managers(1, 2, 3, 4);
        assertWaits(next(), "manager m3 can leave only if 3 of the others answer: 2 do");
        healthy.add(id(4));
        assertMembers(next(), 1, 2, 4);
    }

    @Test
    void leaderTransfersLeadership_beforeItIsRemoved() {
        wanted = managers(2, 3);
        assertThat(next()).isEqualTo(new HandOver("manager m1 leaves and leads"));
    }

    @Test
    void leaderTransfersLeadership_whileItSendsToRemovedMember() {
        members = managers(1, 2);
        strays = true;
        assertThat(next()).isInstanceOf(HandOver.class);
        assertThat(ManagerSteps.word(view(), said(manager(3), ManagerPhase.NEW)).admission())
                .isEqualTo(Admission.WAIT);
    }

    @Test
    void removalWaits_whileRemainingGroupLacksMajority() {
        wanted = managers(1, 2);
        healthy.remove(id(2));
        assertWaits(next(), "manager m3 can leave only if 2 of the others answer: 1 do");
    }

    @Test
    void joinWaits_whileEnlargedGroupWouldLackMajority() {
        wanted = managers(1, 2, 3, 4, 5);
        members = managers(1, 2, 3, 4);
        healthy.removeAll(Set.of(id(3), id(2)));
        says(manager(5), ManagerPhase.JOINING);
        assertWaits(next(), "too few for a majority of 5");
    }

    @Test
    void memberIsReplacedByNewOne_whenItsAddressChanges() {
        ClusterManager moved = new ClusterManager(id(3), "r:9", "s:9", "");
        wanted = List.of(manager(1), manager(2), moved);
        assertWaits(next(), "manager m3=r:9/s:9 has not come");
        says(manager(3), ManagerPhase.NEW);
        assertWaits(next(), "manager m3=r:9/s:9 has not come");
        assertThat(ManagerSteps.word(view(), said(manager(3), ManagerPhase.NEW)).reason())
                .contains("the cluster knows manager m3=r:9/s:9");
        says(moved, ManagerPhase.NEW);
        assertMembers(next(), 1, 2);
        members = managers(1, 2);
        says(moved, ManagerPhase.JOINING);
        assertThat(((Reconfigure) next()).members())
                .containsExactly(manager(1), manager(2), moved.withIncarnation("new"));
    }

    @Test
    void joiningManagerIsNotAdmitted_whileItFollowsAnotherGroup() {
        wanted = managers(1, 2, 3, 4);
        introduced.put(
                id(4),
                new Introduced(manager(4), ManagerPhase.JOINING, Optional.of(new UUID(0, 2))));
        assertWaits(next(), "has not come");
    }

    @Test
    void admissionReplyDependsOnMembershipPhaseAndFolder() {
        assertThat(ManagerSteps.word(view(), said(manager(4), ManagerPhase.NEW)))
                .matches(word -> word.admission() == Admission.NOT_WANTED)
                .matches(word -> word.reason().contains("parterre manager add"));
        assertThat(ManagerSteps.word(view(), said(manager(3), ManagerPhase.JOINING)))
                .as("with another folder")
                .matches(word -> word.admission() == Admission.WAIT);
        assertThat(ManagerSteps.word(view(), said(manager(4), ManagerPhase.MEMBER)))
                .matches(word -> word.admission() == Admission.OUT && word.toConfirm());
        assertThat(ManagerSteps.word(view(), said(manager(3), ManagerPhase.MEMBER)))
                .as("an old folder put back")
                .matches(word -> word.admission() == Admission.OUT && word.toConfirm());
        assertThat(
                        ManagerSteps.word(
                                view(),
                                new Introduced(manager(3), ManagerPhase.MEMBER, Optional.of(G))))
                .as("from before folders were told apart")
                .matches(word -> word.admission() == Admission.IS_MEMBER);

        members = List.of(manager(1), manager(2), manager(3).withIncarnation("new"));
        assertThat(ManagerSteps.word(view(), said(manager(3), ManagerPhase.JOINING)))
                .matches(word -> word.admission() == Admission.IS_MEMBER);
        assertThat(ManagerSteps.word(view(), said(manager(3), ManagerPhase.MEMBER)))
                .matches(word -> word.admission() == Admission.IS_MEMBER);
        stable = false;
        assertThat(ManagerSteps.word(view(), said(manager(4), ManagerPhase.MEMBER)))
                .as("it may be coming in")
                .matches(word -> word.admission() == Admission.IS_MEMBER);
    }

    @Test
    void managerAdditionIsRejected_whileAnotherIsPending() {
        Verdict verdict = ManagerRequests.add(view(), manager(4));
        assertThat(after(verdict)).isEqualTo(managers(1, 2, 3, 4));
        assertThat(((Verdict.Do) verdict).effects().get(1))
                .hasToString("warning: 4 managers bear the loss of no more than 3 do");
        wanted = managers(1, 2, 3, 4);
        assertRefused(ManagerRequests.add(view(), manager(5)), "one change at a time");
        members = managers(1, 2, 3, 4);
        assertThat(((Verdict.Do) ManagerRequests.add(view(), manager(5))).effects()).hasSize(1);
    }

    @Test
    void managerAdditionIsRejected_whenIdOrAddressIsTaken() {
        assertRefused(ManagerRequests.add(view(), manager(3)), "there is a manager m3=r:3/s:3");
        assertRefused(
                ManagerRequests.add(view(), new ClusterManager(id(4), "r:4", "s:3", "")),
                "manager m3=r:3/s:3 has that address");
    }

    @Test
    void managerRemovalIsRejected_whenMajorityNeedsIt() {
        assertThat(after(ManagerRequests.remove(view(), id(3)))).isEqualTo(managers(1, 2));
        assertThat(ManagerRequests.remove(view(), id(9))).isInstanceOf(Verdict.NotFound.class);
        healthy.remove(id(2));
        assertRefused(ManagerRequests.remove(view(), id(3)), "only if 2 of the others answer");
        assertThat(after(ManagerRequests.remove(view(), id(2))))
                .as("the one that is down may go")
                .isEqualTo(managers(1, 3));
        members = managers(1);
        wanted = managers(1);
        assertRefused(ManagerRequests.remove(view(), id(1)), "is the only one");
    }

    @Test
    void pendingManagerAdditionCanBeUndone_byRemoval() {
        wanted = managers(1, 2, 3, 4);
        assertThat(after(ManagerRequests.remove(view(), id(4)))).isEqualTo(managers(1, 2, 3));
        assertRefused(ManagerRequests.remove(view(), id(3)), "one change at a time");
    }

    @Test
    void downManagerCanBeReplaced_whileMajorityOfOthersAnswers() {
        healthy.remove(id(3));
        assertThat(after(ManagerRequests.replace(view(), id(3), manager(4))))
                .isEqualTo(managers(1, 2, 4));
        assertThat(ManagerRequests.replace(view(), id(9), manager(4)))
                .isInstanceOf(Verdict.NotFound.class);
        assertRefused(ManagerRequests.replace(view(), id(3), manager(2)), "there is a manager m2");
        healthy.remove(id(2));
        assertRefused(
                ManagerRequests.replace(view(), id(3), new ClusterManager(id(3), "r:9", "s:9", "")),
                "only if 2 of the others answer: 1 do");
    }

    @Test
    void managerConditionReflectsMembershipAndPhase() {
        wanted = managers(1, 2, 4);
        says(manager(2), ManagerPhase.NEW);
        assertThat(ManagerCondition.of(view(), id(1))).isEqualTo(ManagerCondition.IN_GROUP);
        assertThat(ManagerCondition.of(view(), id(2))).isEqualTo(ManagerCondition.FORGETFUL);
        assertThat(ManagerCondition.of(view(), id(3))).isEqualTo(ManagerCondition.LEAVING);
        assertThat(ManagerCondition.of(view(), id(4))).isEqualTo(ManagerCondition.EXPECTED);
        says(manager(4), ManagerPhase.JOINING);
        assertThat(ManagerCondition.of(view(), id(4))).isEqualTo(ManagerCondition.ENTERING);
    }

    private void areManagers(int... all) {
        members = managers(all);
        wanted = managers(all);
    }

    @Test
    void managerChangeListsItsEffects() {
        assertThat(((Verdict.Do) ManagerRequests.remove(view(), id(3))).effects())
                .extracting(Reason::toString)
                .containsExactly(
                        "manager m3 leaves",
                        "warning: 2 managers bear the loss of no more than 1 do");
        assertThat(((Verdict.Do) ManagerRequests.replace(view(), id(3), manager(4))).effects())
                .extracting(Reason::toString)
                .containsExactly(
                        "manager m4=r:4/s:4 is taken in once it runs there, with an empty folder;"
                                + " then m3 leaves");
        ClusterManager moved = new ClusterManager(id(3), "r:9", "s:9", "");
        assertThat(((Verdict.Do) ManagerRequests.replace(view(), id(3), moved)).effects())
                .extracting(Reason::toString)
                .containsExactly(
                        "manager m3 leaves m3=r:3/s:3 once it runs as m3=r:9/s:9, with an empty"
                                + " folder");
        assertThat(ManagerRequests.replace(view(), id(3), manager(3)))
                .isEqualTo(Verdict.Do.nothing(ReasonCode.MANAGER_IS_THERE.of("m3=r:3/s:3")));
    }

    @Test
    void managerChangeIsRejected_whenTooFewManagersWouldAnswer() {
        healthy.removeAll(Set.of(id(2), id(3)));
        assertRefused(
                ManagerRequests.add(view(), manager(4)),
                "only 2 managers would answer (expected: 3, a majority of 4)");
        areManagers(1, 2, 3, 4, 5);
        assertRefused(
                ManagerRequests.replace(view(), id(5), manager(6)),
                "only 2 managers would answer (expected: 3, a majority of 5)");
    }

    @Test
    void managerChangeIsRejected_whileLastOneIsNotDone() {
        stable = false;
        assertRefused(ManagerRequests.add(view(), manager(4)), "the last change is not done yet");
        stable = true;
        members = managers(1, 2, 3, 4);
        assertRefused(
                ManagerRequests.replace(view(), id(3), manager(5)),
                "the last change is not done yet");
        ManagersView unknown =
                new ManagersView(
                        id(1),
                        G,
                        members,
                        stable,
                        strays,
                        new Managers(0, List.of()),
                        introduced,
                        healthy);
        assertRefused(ManagerRequests.add(unknown, manager(5)), "the managers are not known yet");
    }

    @Test
    void managerAdditionIsRejected_whenThereAreNine() {
        areManagers(1, 2, 3, 4, 5, 6, 7, 8);
        members.forEach(each -> healthy.add(each.nodeId()));
        assertThat(ManagerRequests.add(view(), manager(9))).isInstanceOf(Verdict.Do.class);
        areManagers(1, 2, 3, 4, 5, 6, 7, 8, 9);
        assertRefused(
                ManagerRequests.add(view(), manager(10)), "managers: 10 (expected: at most 9)");
    }

    @Test
    void joiningManagerIsTurnedAway_whenItIsNotWantedAnyMore() {
        assertThat(ManagerSteps.word(view(), said(manager(4), ManagerPhase.JOINING)))
                .matches(word -> word.admission() == Admission.NOT_WANTED);
    }

    @Test
    void managerStandingIsRejected_whenGroupAndPhaseDisagree() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                new ManagerStanding(
                                        "a",
                                        ManagerPhase.NEW,
                                        Optional.of(G),
                                        List.of(),
                                        List.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                new ManagerStanding(
                                        "a",
                                        ManagerPhase.MEMBER,
                                        Optional.empty(),
                                        List.of(),
                                        List.of()));
    }
}

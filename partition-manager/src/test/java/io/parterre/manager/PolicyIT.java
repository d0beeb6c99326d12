package io.parterre.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.raft.ManagerMember;
import io.parterre.proto.admin.ExplainNodeRequest;
import io.parterre.proto.admin.ExplainRangeRequest;
import io.parterre.proto.admin.GetPolicyRequest;
import io.parterre.proto.admin.GetStatusRequest;
import io.parterre.proto.admin.ListJournalRequest;
import io.parterre.proto.admin.PolicySetting;
import io.parterre.proto.admin.PolicyStatus;
import io.parterre.proto.admin.PolicyStatusValue;
import io.parterre.proto.admin.SetPolicyRequest;
import io.parterre.proto.admin.WhatIfRequest;
import io.parterre.proto.admin.WhatIfResponse;
import io.parterre.proto.journal.JournalEntry;
import io.parterre.proto.journal.JournalKind;
import io.parterre.range.NodeId;
import io.parterre.testing.TestPorts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three managers on real Ratis, one of which ends: what it decided and was told stays. */
@Timeout(180)
class PolicyIT {
    @TempDir private Path folder;
    private final List<ManagerMember> members = new ArrayList<>();
    private final List<ManagerUnderTest> managers = new ArrayList<>();
    private final FakeNodes nodes = new FakeNodes("n1", "n2", "n3");

    @BeforeEach
    void start() throws IOException {
        for (int i = 1; i <= 3; i++) {
            members.add(
                    new ManagerMember(
                            new NodeId("m" + i),
                            "127.0.0.1:" + TestPorts.next(),
                            "service-of-m" + i));
        }
        for (ManagerMember member : members) {
            managers.add(ManagerUnderTest.start(config(member)));
        }
        until(() -> nodes.members().size() == 3);
    }

    private PartitionManagerConfig config(ManagerMember member) {
        return TestConfig.member(member, members, folder, Policy.DEFAULT);
    }

    @AfterEach
    void stop() {
        ManagerUnderTest.closeAll(managers);
    }

    private void until(BooleanSupplier so) {
        await().atMost(Duration.ofSeconds(90))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> leader().isPresent() && so.getAsBoolean());
    }

    /** Lets the nodes report to whoever leads. */
    private Optional<ManagerUnderTest> leader() {
        return managers.stream().filter(nodes::report).findFirst();
    }

    /** Awaits one: on a busy machine a leader may step down at any time, and another come. */
    private ManagerUnderTest leading() {
        return await().until(this::leader, Optional::isPresent).orElseThrow();
    }

    private PolicyStatus policy() {
        return leading().admin().getPolicy(GetPolicyRequest.getDefaultInstance());
    }

    private String value(String key) {
        return policy().getValuesList().stream()
                .filter(each -> each.getKey().equals(key))
                .map(PolicyStatusValue::getValue)
                .findFirst()
                .orElseThrow();
    }

    private List<String> set(String key, String value, long version, boolean dryRun) {
        return leading()
                .admin()
                .setPolicy(
                        SetPolicyRequest.newBuilder()
                                .addSettings(PolicySetting.newBuilder().setKey(key).setValue(value))
                                .setVersion(version)
                                .setBy("ann@desk")
                                .setDryRun(dryRun)
                                .build())
                .getEffectsList();
    }

    private List<JournalEntry> journal(ListJournalRequest request) {
        return leading().admin().listJournal(request).getEntriesList();
    }

    private List<JournalEntry> journal() {
        return journal(ListJournalRequest.getDefaultInstance());
    }

    private boolean has(JournalKind kind, String verdict, String why) {
        return journal().stream()
                .anyMatch(
                        each ->
                                each.getKind() == kind
                                        && each.getVerdict().equals(verdict)
                                        && each.getWhy().contains(why));
    }

    private int movesInProgress() {
        return leading()
                .admin()
                .getStatus(GetStatusRequest.getDefaultInstance())
                .getMovesInProgress();
    }

    @Test
    void policyAndJournalSurvive_whenLeaderManagerIsLost() {
        until(() -> policy().getVersion() == 1);
        assertThat(has(JournalKind.ASKED, "POLICY", "by the configuration of manager m")).isTrue();
        nodes.add("n4", "");
        nodes.add("n5", "");
        // Both are to be heard of, and the range is to be confirmed.
        until(() -> has(JournalKind.LEFT, "BALANCED", "nodes hold 0 to 1 replicas"));

        WhatIfResponse whatIf =
                leading()
                        .admin()
                        .whatIf(
                                WhatIfRequest.newBuilder()
                                        .addSettings(
                                                PolicySetting.newBuilder()
                                                        .setKey("replicas")
                                                        .setValue("5"))
                                        .build());
        assertThat(whatIf.getChangesList()).containsExactly("replicas: 3 -> 5");
        assertThat(whatIf.getRoundsList())
                .flatExtracting(round -> round.getDecisionsList())
                .filteredOn(each -> each.getVerdict().equals("MOVE"))
                .hasSize(2);
        assertThat(whatIf.getEnd()).isEqualTo("nothing more would be done");

        assertThat(set("replicas", "5", 0, true)).containsExactly("replicas: 3 -> 5");
        assertThat(policy().getVersion()).as("dry run, and what-if").isEqualTo(1);
        assertThat(movesInProgress()).isZero();
        assertThatThrownBy(() -> set("replicas", "4", 0, false))
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e -> {
                            assertThat(e.getStatus().getCode())
                                    .isEqualTo(Status.Code.INVALID_ARGUMENT);
                            assertThat(e.getStatus().getDescription())
                                    .isEqualTo("replicas: 4 (expected: 1, 3, 5, 7)");
                        });
        assertThatThrownBy(() -> set("replicas", "5", 9, false))
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e ->
                                assertThat(e.getStatus().getCode())
                                        .isEqualTo(Status.Code.FAILED_PRECONDITION));

        set("replicas", "5", 1, false);
        until(() -> nodes.members().size() == 5 && movesInProgress() == 0);
        List<JournalEntry> decided =
                journal().stream().filter(each -> each.getNumber() > 0).toList();

        ManagerUnderTest lost = leading();
        managers.remove(lost);
        lost.close();
        until(() -> policy().getVersion() == 2);

        assertThat(value("replicas")).isEqualTo("5");
        assertThat(journal()).containsAll(decided);
        assertThat(has(JournalKind.ASKED, "POLICY", "replicas: 3 -> 5; version 2, by ann@desk"))
                .isTrue();
        assertThat(journal(ListJournalRequest.newBuilder().setNodeId("n4").build()))
                .extracting(JournalEntry::getKind)
                .containsExactly(JournalKind.DECIDED, JournalKind.ENDED);
        assertThat(
                        leading()
                                .admin()
                                .explainNode(
                                        ExplainNodeRequest.newBuilder().setNodeId("n4").build())
                                .getJournalList())
                .anyMatch(each -> each.getWhy().startsWith("+n4, UNDER_REPLICATED: "));
        assertThat(
                        leading()
                                .admin()
                                .explainRange(
                                        ExplainRangeRequest.newBuilder().setRangeId(1).build())
                                .getJournalList())
                .extracting(JournalEntry::getVerdict)
                .contains("MOVE");
    }
}

package io.parterre.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
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
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three managers on real Ratis, one of which ends: what it decided and was told stays. */
@Timeout(180)
class PolicyIT {
    @TempDir private Path folder;
    private ThreeManagers three;

    @BeforeEach
    void start() throws IOException {
        three = new ThreeManagers(folder);
    }

    @AfterEach
    void stop() {
        three.close();
    }

    /** Awaits one: on a busy machine a leader may step down at any time, and another come. */
    private ManagerUnderTest leading() {
        return await().until(three::leader, Optional::isPresent).orElseThrow();
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
        three.until(() -> policy().getVersion() == 1);
        assertThat(has(JournalKind.ASKED, "POLICY", "by the configuration of manager m")).isTrue();
        three.nodes.add("n4", "");
        three.nodes.add("n5", "");
        // Both are to be heard of, and the range is to be confirmed.
        three.until(() -> has(JournalKind.LEFT, "BALANCED", "nodes hold 0 to 1 replicas"));

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
        three.until(() -> three.nodes.members().size() == 5 && movesInProgress() == 0);
        List<JournalEntry> decided =
                journal().stream().filter(each -> each.getNumber() > 0).toList();

        ManagerUnderTest lost = leading();
        three.managers.remove(lost);
        lost.close();
        three.until(() -> policy().getVersion() == 2);

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

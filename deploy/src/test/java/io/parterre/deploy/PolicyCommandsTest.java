package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.plan.policy.PolicyTable;
import io.parterre.proto.admin.FinalizeUpgradeRequest;
import io.parterre.proto.admin.PolicySetting;
import io.parterre.proto.admin.SetPolicyRequest;
import io.parterre.proto.admin.WhatIfRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code policy}, {@code what-if} and {@code upgrade}. */
class PolicyCommandsTest extends OperatorShell {
    @Test
    void policyIsShownAndSet_withTheRequestersName(@TempDir Path folder) throws IOException {
        assertThat(run("policy", "get", "--manager", "m2:2")).isZero();
        assertThat(out.toString())
                .contains("version 4")
                .containsPattern("replicas +5 +3 +1, 3, 5, 7 +replicas of each range");
        out.getBuffer().setLength(0);
        assertThat(run("policy", "get", "--settings", "--manager", "m2:2")).isZero();
        Path file = Files.writeString(folder.resolve("in-force"), out.toString());
        assertThat(out.toString().lines()).containsExactly("# version 4", "replicas=5");
        leader.heard.clear();
        assertThat(
                        run(
                                "policy",
                                "set",
                                file.toString(),
                                "movesMax = 8",
                                "--version-seen",
                                "4",
                                "--dry-run",
                                "--manager",
                                "m2:2"))
                .isZero();
        assertThat(out.toString()).contains("would: replicas: 3 -> 5");
        assertThat(leader.heard.get(0))
                .isInstanceOfSatisfying(
                        SetPolicyRequest.class,
                        request -> {
                            assertThat(request.getSettingsList())
                                    .containsExactly(
                                            setting("replicas", "5"), setting("movesMax", "8"));
                            assertThat(request.getVersion()).isEqualTo(4);
                            assertThat(request.getDryRun()).isTrue();
                            assertThat(request.getBy())
                                    .startsWith(System.getProperty("user.name") + "@");
                        });
        assertThat(run("policy", "set", "replicas", "--manager", "m2:2"))
                .isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString())
                .contains("'replicas' (expected: KEY=VALUE, or a file of such lines)");
    }

    @Test
    void upgradeIsShownAndFinalized_withWhatHinders() {
        assertThat(run("upgrade", "status", "--manager", "m2:2")).isZero();
        assertThat(out.toString())
                .contains("feature level 1")
                .containsPattern("manager +m1 +1\\.\\.2 +0\\.2")
                .containsPattern("server +s1 +no answer")
                .contains("hinders: server s1 does not answer")
                .contains("cannot be finalized to level 2 yet, which brings SLICED_ENTRIES");
        leader.heard.clear();
        assertThat(run("upgrade", "finalize", "--level", "2", "--dry-run", "--manager", "m2:2"))
                .isZero();
        assertThat(out.toString()).contains("would: from level 1 to level 2");
        assertThat(leader.heard)
                .containsExactly(
                        FinalizeUpgradeRequest.newBuilder().setLevel(2).setDryRun(true).build());
        assertThat(run("upgrade")).isEqualTo(ExitCode.USAGE.code());
    }

    @Test
    void policyHelpNamesEveryPolicyKey() {
        assertThat(run("policy", "set", "--help")).isZero();
        PolicyTable.KEYS.forEach(
                key -> assertThat(out.toString()).contains(key.name()).contains(key.allowed()));
    }

    private static PolicySetting setting(String key, String value) {
        return PolicySetting.newBuilder().setKey(key).setValue(value).build();
    }

    @Test
    void whatIfPrintsDecisions_forTriedPolicyAndNodeDown(@TempDir Path folder) throws IOException {
        Path file =
                Files.writeString(folder.resolve("tried"), "# larger\nreplicas=5\n\nmovesMax=8\n");
        assertThat(
                        run(
                                "what-if",
                                "--policy",
                                file.toString(),
                                "balanceBand=3",
                                "--node-down",
                                "s2",
                                "--rounds",
                                "4",
                                "--manager",
                                "m2:2"))
                .isZero();
        assertThat(leader.heard)
                .containsExactly(
                        WhatIfRequest.newBuilder()
                                .addSettings(setting("replicas", "5"))
                                .addSettings(setting("movesMax", "8"))
                                .addSettings(setting("balanceBand", "3"))
                                .addNodesDown("s2")
                                .setRoundsMax(4)
                                .build());
        assertThat(out.toString().lines().toList())
                .satisfiesExactly(
                        change -> assertThat(change).isEqualTo("policy: replicas: 3 -> 5"),
                        down -> assertThat(down).isEqualTo("down: s2"),
                        round -> assertThat(round).isEqualTo("round 1"),
                        headings -> assertThat(headings).matches("WHAT +RANGE +WHY"),
                        move -> assertThat(move).matches("decided move +2 +\\+s3 -s2.*"),
                        more -> assertThat(more).isEqualTo("and 2 more"),
                        end -> assertThat(end).isEqualTo("nothing more would be done"));
        assertThat(run("what-if", "--policy", folder + "/none", "--manager", "m2:2"))
                .isEqualTo(ExitCode.USAGE.code());
        assertThat(err.toString()).contains("(expected: KEY=VALUE, or a file of such lines)");
    }
}

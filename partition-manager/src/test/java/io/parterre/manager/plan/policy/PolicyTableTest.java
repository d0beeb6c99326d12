package io.parterre.manager.plan.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.plan.request.PolicyRequests;
import io.parterre.manager.plan.request.Said;
import io.parterre.manager.plan.request.Verdict;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Maps;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The values of the policy, and what operators may make of them. */
class PolicyTableTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_000);

    private static ClusterView view(ClusterMap map) {
        return new ClusterView(
                map,
                Map.of(),
                Map.of(),
                Instant.EPOCH,
                NOW,
                PolicyTable.read(Policy.DEFAULT, map.policy().values()),
                Map.of());
    }

    @Test
    void policyTableHasAKeyForEveryPolicyValue() {
        assertThat(PolicyTable.KEYS)
                .extracting(PolicyKey::name)
                .containsExactlyElementsOf(names("", Policy.class));
    }

    private static List<String> names(String prefix, Class<?> type) {
        List<String> names = new ArrayList<>();
        for (RecordComponent each : type.getRecordComponents()) {
            if (each.getType().isRecord()) {
                names.addAll(names(prefix + each.getName() + ".", each.getType()));
            } else {
                names.add(prefix + each.getName());
            }
        }
        return names;
    }

    @Test
    void policyReadReturnsWhatPrintWrote() {
        Policy other =
                new Policy(
                        5,
                        Duration.ofMillis(1_500),
                        Duration.ofMinutes(3),
                        7,
                        3,
                        9,
                        4,
                        Duration.ofMinutes(90),
                        50,
                        new SplitPolicy(true, 900, 450, 3L << 20, Duration.ofSeconds(20), 2),
                        new MergePolicy(true, Duration.ofMinutes(5), 3, 2),
                        new CopysetPolicy(40, 5),
                        new QuotaPolicy(100, 2_000, 50, 900, Duration.ofSeconds(5)),
                        new DiskPolicy(70));
        assertThat(PolicyTable.read(Policy.DEFAULT, PolicyTable.print(other))).isEqualTo(other);
        assertThat(PolicyTable.print(other))
                .containsEntry("suspectAfter", "1500ms")
                .containsEntry("moveGiveUpAfter", "90m")
                .containsEntry("split.bytesMax", "3MiB")
                .containsEntry("split.enabled", "true")
                .containsEntry("merge.ageMin", "5m")
                .containsEntry("merge.mergesPerNodeMax", "2");
    }

    /** Another release may have written them. */
    @Test
    void policyReadSkipsUnknownAndInvalidValues() {
        Map<String, String> odd =
                Map.of("movesMax", "9", "balanceBand", "wide", "merge.of.tomorrow", "x");
        assertThat(PolicyTable.read(Policy.DEFAULT, odd))
                .isEqualTo(PolicyTable.with(Policy.DEFAULT, Map.of("movesMax", "9")));
        assertThat(PolicyTable.read(Policy.DEFAULT, Map.of("replicas", "4")))
                .as("makes no policy")
                .isEqualTo(Policy.DEFAULT);
    }

    @Test
    void defaultPolicyPassesValidation() {
        assertThat(PolicyTable.with(Policy.DEFAULT, PolicyTable.print(Policy.DEFAULT)))
                .isEqualTo(Policy.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "replicas | 4 | replicas: 4 (expected: 1, 3, 5, 7)",
                "replicas | 9 | replicas: 9 (expected: 1, 3, 5, 7)",
                "movesMax | 0 | movesMax: 0 (expected: 1..1000)",
                "movesMax | many | movesMax: 'many' (expected: a whole number; 1..1000)",
                "suspectAfter | 1ms | suspectAfter: 1ms (expected: 500ms..10m)",
                "suspectAfter | 5 | suspectAfter: '5' (expected: a duration, as 250ms, 5s, 2m or"
                        + " 1h; 500ms..10m)",
                "split.bytesMax | 1KiB | split.bytesMax: 1KiB (expected: 1MiB..16TiB)",
                "quotas.burst | 0s | quotas.burst: 0s (expected: 100ms..5m)",
                "quotas.tableRequestsPerSecond | -1 | quotas.tableRequestsPerSecond: -1 (expected:"
                        + " 0..100000000)",
                "split.enabled | on | split.enabled: 'on' (expected: true or false)",
                "deadAfter | 2s | deadAfter: 2s (expected: 5s..168h, not less than suspectAfter)",
                "suspectAfter | 5m | suspectAfter: 5m (expected: 500ms..2m, not more than"
                        + " deadAfter)",
                "movesPerNodeMax | 17 | movesPerNodeMax: 17 (expected: 1..16, not more than"
                        + " movesMax)",
                "merge.mergesPerNodeMax | 5 | merge.mergesPerNodeMax: 5 (expected: 1..4, not more"
                        + " than merge.mergesMax)",
                "movesMax | 99999999999999999999 | movesMax: '99999999999999999999' (expected: a"
                        + " whole number; 1..1000)",
            })
    void invalidPolicyValueIsRejected_withItsAllowedRange(
            String key, String value, String problem) {
        assertThatThrownBy(() -> PolicyTable.with(Policy.DEFAULT, Map.of(key, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(problem);
    }

    @Test
    void policyRejectionNamesAllProblemsAndUnknownKeys() {
        assertThatThrownBy(
                        () ->
                                PolicyTable.with(
                                        Policy.DEFAULT,
                                        new TreeMap<>(Map.of("movesMax", "0", "zoom", "1"))))
                .hasMessageContaining("movesMax: 0 (expected: 1..1000)")
                .hasMessageContaining("policy has no 'zoom' (expected: replicas, suspectAfter,");
    }

    /** Both at once may be what neither may be alone. */
    @Test
    void dependentPolicyValuesAreValidatedTogether() {
        Policy slow =
                PolicyTable.with(Policy.DEFAULT, Map.of("suspectAfter", "5m", "deadAfter", "1h"));
        assertThat(slow.suspectAfter()).hasMinutes(5);
        // An operator who sets something else need not put right what a file says.
        Policy odd = Policy.DEFAULT.withMoves(2, 8);
        assertThat(PolicyTable.with(odd, Map.of("balanceBand", "3")).movesPerNodeMax())
                .isEqualTo(8);
    }

    @Test
    void policyChangeIsRejected_whenExpectedVersionIsStale() {
        Verdict first = PolicyRequests.set(view(ClusterMap.EMPTY), Map.of("movesMax", "8"), 0, "a");
        assertThat(first)
                .isEqualTo(
                        new Verdict.Do(
                                List.of(
                                        new MapCommand.SetPolicy(
                                                0,
                                                new TreeMap<>(Map.of("movesMax", "8")),
                                                "a",
                                                NOW)),
                                Optional.empty(),
                                List.of(Reason.words("movesMax: 16 -> 8"))));
        ClusterMap map = Maps.after(ClusterMap.EMPTY, ((Verdict.Do) first).commands().get(0));

        assertThat(PolicyRequests.set(view(map), Map.of("movesMax", "8"), 7, "a"))
                .as("is so already, whatever the version")
                .isEqualTo(Verdict.Do.nothing(ReasonCode.POLICY_IS_SO.of()));
        assertThat(Said.of(PolicyRequests.set(view(map), Map.of("movesMax", "9"), 7, "a")))
                .isEqualTo("refused: the policy has version 1, not 7 any more");
        assertThat(PolicyRequests.set(view(map), Map.of("movesMax", "9"), 1, "a\u0007\n"))
                .isInstanceOfSatisfying(
                        Verdict.Do.class,
                        done ->
                                assertThat(done.commands())
                                        .containsExactly(
                                                new MapCommand.SetPolicy(
                                                        1,
                                                        new TreeMap<>(Map.of("movesMax", "9")),
                                                        "a",
                                                        NOW)));
        assertThat(PolicyRequests.set(view(map), Map.of("movesMax", "0"), 0, ""))
                .isInstanceOf(Verdict.Invalid.class);
        assertThat(PolicyRequests.set(view(map), Map.of(), 0, ""))
                .isInstanceOf(Verdict.Invalid.class);
    }

    @Test
    void configuredPolicyApplies_whenClusterHasNoValue() {
        Policy configured = Policy.DEFAULT.withReplicas(5);
        MapCommand first =
                PolicyRequests.firstValues(view(ClusterMap.EMPTY), configured, "file")
                        .orElseThrow();
        ClusterMap map = Maps.after(ClusterMap.EMPTY, first);
        assertThat(PolicyTable.read(Policy.DEFAULT, map.policy().values())).isEqualTo(configured);
        assertThat(PolicyRequests.firstValues(view(map), Policy.DEFAULT, "file")).isEmpty();

        // A value that came with a later release.
        ClusterMap older =
                Maps.after(
                        ClusterMap.EMPTY,
                        new MapCommand.SetPolicy(
                                0, new TreeMap<>(Map.of("replicas", "3")), "x", NOW));
        ClusterMap newer =
                Maps.after(
                        older,
                        PolicyRequests.firstValues(view(older), configured, "file").orElseThrow());
        assertThat(PolicyTable.read(Policy.DEFAULT, newer.policy().values()))
                .isEqualTo(configured.withReplicas(3));
    }

    @Test
    void partitioningDocumentContainsThePolicyTable() throws IOException {
        String document = Files.readString(Path.of("../docs/partitioning.md"));
        assertThat(document).contains(markdown());
    }

    /** The table for documents, in Markdown. */
    private static String markdown() {
        StringBuilder table =
                new StringBuilder("| Key | Default | May be | Is |\n|---|---|---|---|\n");
        for (PolicyKey key : PolicyTable.KEYS) {
            table.append("| `")
                    .append(key.name())
                    .append("` | ")
                    .append(key.print(Policy.DEFAULT))
                    .append(" | ")
                    .append(key.allowed())
                    .append(" | ")
                    .append(key.meaning())
                    .append(" |\n");
        }
        return table.toString();
    }

    private static Stream<Arguments> valuesThatMakeNoPolicy() {
        Duration second = Duration.ofSeconds(1);
        Duration none = Duration.ZERO;
        Duration past = Duration.ofNanos(-1);
        Policy policy = Policy.DEFAULT;
        return Stream.of(
                no("replicas: 2", () -> policy.withReplicas(2)),
                no("replicas: 9", () -> policy.withReplicas(9)),
                no("suspectAfter: PT0S", () -> policy.withLiveness(none, second)),
                no("deadAfter: PT1S", () -> policy.withLiveness(second.plusNanos(1), second)),
                no("movesMax: 0", () -> policy.withMoves(0, 1)),
                no("movesPerNodeMax: 0", () -> policy.withMoves(1, 0)),
                no("replicasPerNodeMax: 0", () -> policy.withReplicasPerNodeMax(0)),
                no("operationsPerSecondMax: 0", () -> new SplitPolicy(true, 0, 1, 1, none, 1)),
                no("cpuPermilleMax: 0", () -> new SplitPolicy(true, 1, 0, 1, none, 1)),
                no("bytesMax: 0", () -> new SplitPolicy(true, 1, 1, 0, none, 1)),
                no("observeFor: PT-0.000000001S", () -> new SplitPolicy(true, 1, 1, 1, past, 1)),
                no("splitsMax: 0", () -> new SplitPolicy(true, 1, 1, 1, none, 0)),
                no("ageMin: PT-0.000000001S", () -> new MergePolicy(true, past, 1, 1)),
                no("mergesMax: 0", () -> new MergePolicy(true, none, 0, 1)),
                no("mergesPerNodeMax: 0", () -> new MergePolicy(true, none, 1, 0)),
                no("nodesMin: 0", () -> new CopysetPolicy(0, 1)),
                no("rings: 0", () -> new CopysetPolicy(1, 0)),
                no("accountRequestsPerSecond: -1", () -> new QuotaPolicy(-1, 0, 0, 0, second)),
                no("accountEntitiesPerSecond: -1", () -> new QuotaPolicy(0, -1, 0, 0, second)),
                no("tableRequestsPerSecond: -1", () -> new QuotaPolicy(0, 0, -1, 0, second)),
                no("tableEntitiesPerSecond: -1", () -> new QuotaPolicy(0, 0, 0, -1, second)),
                no("burst: PT0S", () -> new QuotaPolicy(0, 0, 0, 0, none)));
    }

    private static Arguments no(String problem, ThrowingCallable make) {
        return Arguments.of(problem, make);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("valuesThatMakeNoPolicy")
    void policyIsRejected_whenValueMakesNoSense(String problem, ThrowingCallable make) {
        assertThatThrownBy(make)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(problem + " (expected: ");
    }

    @Test
    void policyChangeIsSignedBySomebody_whenAuthorIsBlank() {
        Verdict.Do done =
                (Verdict.Do)
                        PolicyRequests.set(
                                view(ClusterMap.EMPTY), Map.of("movesMax", "8"), 0, " \u0007\n");
        assertThat(((MapCommand.SetPolicy) done.commands().get(0)).by()).isEqualTo("somebody");
    }
}

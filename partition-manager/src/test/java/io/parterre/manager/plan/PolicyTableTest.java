package io.parterre.manager.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapCommand;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
                PolicyTable.read(Policy.DEFAULT, map.policy().values()));
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
                        new QuotaPolicy(100, 2_000, 50, 900, Duration.ofSeconds(5)));
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
        // What a file says is not for whoever sets something else to put right.
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
                                List.of("movesMax: 16 -> 8")));
        ClusterMap map = Maps.after(ClusterMap.EMPTY, ((Verdict.Do) first).commands().get(0));

        assertThat(PolicyRequests.set(view(map), Map.of("movesMax", "8"), 7, "a"))
                .as("is so already, whatever the version")
                .isEqualTo(Verdict.Do.nothing("the policy is so already"));
        assertThat(PolicyRequests.set(view(map), Map.of("movesMax", "9"), 7, "a"))
                .isEqualTo(new Verdict.Refuse("the policy has version 1, not 7 any more"));
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
        assertThat(document).contains(PolicyTable.markdown());
    }
}

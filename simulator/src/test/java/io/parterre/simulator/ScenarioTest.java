package io.parterre.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.testing.Tier;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scenarios that come with the product, with what is expected of them. Those that take minutes run
 * in the long tier, or when asked for: {@code -Dparterre.sim.scenarios=large,planners}.
 */
@Execution(ExecutionMode.CONCURRENT)
class ScenarioTest {
    private static final String TINY =
            """
            about: Two tables, of which one is hot
            seconds: 120
            cluster: {nodes: 3, ranges: 2}
            policy: {split: true}
            events:
              - at: 10
                what: ASK
                loads: [{shape: EVEN, operationsPerSecond: 8000, tables: 1, partitions: 100}]
            expect:
              splits: {atLeast: 1, atMost: 3}
            """;

    static Stream<String> asked() {
        String names =
                System.getProperty(
                        "parterre.sim.scenarios",
                        Tier.isLong() ? "steady,large,planners,copysets" : "steady");
        return Arrays.stream(names.split(","));
    }

    static ScenarioOutcome run(Scenario scenario, long seed) {
        return ScenarioRun.run(scenario, seed, moment -> {});
    }

    private static void passes(String name, long seed) throws IOException {
        ScenarioOutcome outcome = run(ScenarioFile.read(name), seed);
        assertThat(outcome.verdicts()).isNotEmpty();
        assertThat(outcome.verdicts().stream().filter(verdict -> !verdict.passed()))
                .as("%s with seed %s: %s", name, seed, outcome.measures())
                .isEmpty();
        assertThat(outcome.broken()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"zipf-hot-spots", "appends", "new-node", "lost-zone", "day-and-night"})
    void scenarioMeetsItsExpectations(String name) throws IOException {
        passes(name, 1);
    }

    @ParameterizedTest
    @MethodSource("asked")
    void scenarioMeetsItsExpectations_withAnotherSeed(String name) throws IOException {
        passes(name, 2);
    }

    @Test
    void everyBundledScenarioParses() throws IOException {
        for (String name : ScenarioFile.NAMES) {
            Scenario scenario = ScenarioFile.read(name);
            assertThat(scenario.about()).isNotBlank();
            assertThat(scenario.expect()).isNotEmpty();
        }
    }

    @Test
    void scenarioFailsNamingTheValue_whenExpectationIsMissed() throws IOException {
        assertThat(run(ScenarioFile.parse("tiny", TINY), 1).passed()).isTrue();
        String never = TINY.replace("atLeast: 1, atMost: 3", "atMost: 0");
        ScenarioOutcome outcome = run(ScenarioFile.parse("tiny", never), 1);
        assertThat(outcome.passed()).isFalse();
        assertThat(outcome.verdicts())
                .singleElement()
                .satisfies(verdict -> assertThat(verdict.value()).isBetween(1.0, 3.0));
    }

    @Test
    void scenarioParseErrorNamesFieldOrLine_whenFileIsInvalid() {
        assertThatThrownBy(() -> ScenarioFile.parse("tiny", TINY.replace("splits", "splats")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("splats")
                .hasMessageContaining("splits");
        assertThatThrownBy(() -> ScenarioFile.parse("tiny", TINY.replace("seconds:", "secs:")))
                .hasMessageContaining("tiny: Unrecognized field \"secs\"");
        assertThatThrownBy(() -> ScenarioFile.parse("tiny", "about: here\n\tthere: x\n"))
                .hasMessageContaining("tiny: ")
                .hasMessageContaining("line 2");
    }

    /** What only the large one does otherwise: the map and the planners, and nothing runs. */
    @Test
    void plannerAndMapAreMeasured_whenScenarioHasNoDuration() throws IOException {
        ScenarioOutcome outcome =
                run(
                        ScenarioFile.parse(
                                "tiny",
                                """
                                cluster: {nodes: 30, zones: 3, ranges: 300}
                                expect:
                                  ranges: {atLeast: 300, atMost: 300}
                                  refreshBytesPerChange: {atLeast: 10, atMost: 100}
                                  refreshOfTenBytes: {atLeast: 100, atMost: 1000}
                                """),
                        1);
        assertThat(outcome.passed()).as("%s", outcome.measures()).isTrue();
        assertThat(outcome.measures()).containsKeys(Measure.ROUND_MILLIS, Measure.REFRESH_MICROS);
    }
}

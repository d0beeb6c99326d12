package io.parterre.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A simulation is a function of its scenario and its seed. */
class ScenarioDeterminismTest {
    @Test
    void simulationIsDeterministic_forTheSameSeed() throws IOException {
        Scenario scenario = ScenarioFile.read("zipf-hot-spots");
        ScenarioOutcome one = ScenarioTest.run(scenario, 3);
        assertThat(ScenarioTest.run(scenario, 3)).isEqualTo(one);
        assertThat(ScenarioTest.run(scenario, 4).timeline()).isNotEqualTo(one.timeline());
    }
}

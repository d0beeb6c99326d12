package io.parterre.manager.plan.membership;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.testing.Tier;
import org.junit.jupiter.api.Test;

class FirstStartSimTest {
    private static final int SEEDS = Tier.size("parterre.sim.seeds", 300, 5_000);

    @Test
    void onlyOneManagerGroupSurvives_whenManagersDieOrAreWiped() {
        for (long seed = 0; seed < SEEDS; seed++) {
            FirstStartSim sim = new FirstStartSim(seed);
            try {
                sim.run();
                sim.settle();
                assertThat(sim.groups()).isEqualTo(1);
                // With two folders lost the third one's group waits for good, which is right.
                assertThat(sim.members()).isGreaterThanOrEqualTo(sim.waiting() >= 2 ? 1 : 2);
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }
}

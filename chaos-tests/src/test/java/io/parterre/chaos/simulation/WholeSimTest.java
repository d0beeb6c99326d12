package io.parterre.chaos.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.testing.Tier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The whole cluster's decisions, simulated: some hundred thousand events, or as many as {@code
 * -Dparterre.sim.events} says, from {@code -Dparterre.sim.seed} on. A run that breaks something is
 * told with its seed and what came before; the same seed breaks it again.
 */
final class WholeSimTest {
    private static final long EVENTS = Tier.size("parterre.sim.events", 500_000, 10_000_000);
    private static final long SEED = Long.getLong("parterre.sim.seed", 1);
    private static final long SHOWING_EVENTS = 400_000;
    private static final long EVENTS_OF_ONE = 20_000;

    @Test
    void noWriteIsLostOrServedTwice_whileRangesSplitMergeAndMove() {
        Statistics all = new Statistics();
        long beganNanos = System.nanoTime();
        for (long seed = SEED; all.events < EVENTS; seed++) {
            all.add(run(seed).stats);
        }
        long tookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
        System.out.printf(
                "%s%n%d events in %d ms, %d a second%n",
                all, all.events, tookMillis, all.events * 1_000 / Math.max(1, tookMillis));
        if (all.events >= SHOWING_EVENTS) {
            // Else it would show nothing.
            assertThat(all.slices).as("entries sliced").isPositive();
            assertThat(all.splits).as("splits").isPositive();
            assertThat(all.splitsInSeveral).as("splits in three or more").isPositive();
            assertThat(all.merges).as("merges").isPositive();
            assertThat(all.thaws).as("thaws").isPositive();
            assertThat(all.deadNodes).as("nodes lost for good").isPositive();
        }
    }

    @Test
    void simulationIsDeterministic_forSeed() {
        assertThat(run(SEED).trace.digest()).isEqualTo(run(SEED).trace.digest());
    }

    private static Simulation run(long seed) {
        Simulation simulation = new Simulation(seed);
        try {
            simulation.run(EVENTS_OF_ONE);
        } catch (AssertionError | RuntimeException broken) {
            throw new AssertionError(
                    "seed "
                            + seed
                            + ", event "
                            + simulation.timeline.count()
                            + ": "
                            + broken
                            + "\n"
                            + String.join("\n", simulation.trace.lines()),
                    broken);
        }
        return simulation;
    }
}

package io.parterre.chaos.simulation;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.manager.plan.view.RangeLoad;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;

/** What leaders say is asked of their ranges: so much of each partition, until that shifts. */
final class SimulatedLoad {
    static final int SPLIT_ABOVE = 100;

    private final Simulation simulation;
    private final double[] asked = new double[SimulatedKeys.PARTITIONS];

    SimulatedLoad(Simulation simulation) {
        this.simulation = simulation;
    }

    void shift(SplittableRandom random) {
        double sum = simulation.conditions.quietLoad ? 20 : 40 << random.nextInt(4);
        double[] weights = new double[asked.length];
        double all = 0;
        for (int i = 0; i < weights.length; i++) {
            weights[i] = random.nextInt(4) == 0 ? 10 * random.nextDouble() : random.nextDouble();
            all += weights[i];
        }
        for (int i = 0; i < asked.length; i++) {
            asked[i] = sum * weights[i] / all;
        }
    }

    Optional<RangeLoad> of(SimulatedReplica leading) {
        KeyRange bounds = leading.descriptor().bounds();
        double sum = 0;
        for (int i = 0; i < asked.length; i++) {
            sum += bounds.contains(simulation.keys.sample(i)) ? asked[i] : 0;
        }
        double before = 0;
        Optional<Key> splitPoint = Optional.empty();
        for (int i = 0; i < asked.length && before < sum / 2; i++) {
            Key start = simulation.keys.start(i);
            if (bounds.contains(start)) {
                splitPoint =
                        start.equals(bounds.start()) || before == 0
                                ? splitPoint
                                : Optional.of(start);
                before += asked[i];
            }
        }
        return Optional.of(
                new RangeLoad(
                        sum / 2,
                        sum / 2,
                        sum * 100,
                        0,
                        0,
                        Duration.ofMillis(
                                simulation.timeline.nowMillis() - leading.leadSinceMillis),
                        RangeLoad.Shape.SPREAD,
                        splitPoint,
                        500));
    }
}

package io.parterre.manager.sim;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.manager.plan.RangeLoad;
import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** Operations a second on partitions, and what a leader would report of them. */
public final class SimLoad {
    private static final double ONE_PARTITION_SHARE = 0.7;

    private final TreeMap<Key, Double> byPartition = new TreeMap<>();
    private Optional<Key> tail = Optional.empty();

    public SimLoad asks(Key partition, double operationsPerSecond) {
        byPartition.merge(partition, operationsPerSecond, Double::sum);
        return this;
    }

    /** All of it on ever later keys, which have come as far as this one. */
    public static SimLoad tail(Key at, double operationsPerSecond) {
        SimLoad load = new SimLoad().asks(at, operationsPerSecond);
        load.tail = Optional.of(at);
        return load;
    }

    public double total() {
        return byPartition.values().stream().mapToDouble(each -> each).sum();
    }

    RangeLoad of(KeyRange bounds, Duration observed) {
        NavigableMap<Key, Double> inside =
                byPartition.subMap(bounds.start(), true, bounds.endExclusive(), false);
        double sum = inside.values().stream().mapToDouble(each -> each).sum();
        double most = inside.values().stream().mapToDouble(each -> each).max().orElse(0);
        Optional<Key> cut = Optional.empty();
        double before = 0;
        double best = 0;
        double share = 0;
        for (Map.Entry<Key, Double> partition : inside.entrySet()) {
            double smaller = Math.min(before, sum - before);
            if (smaller > best) {
                best = smaller;
                cut = Optional.of(partition.getKey());
                share = before / sum;
            }
            before += partition.getValue();
        }
        boolean moves = tail.filter(bounds::contains).isPresent();
        return new RangeLoad(
                sum / 2,
                sum / 2,
                sum * 1_000,
                0,
                0,
                observed,
                shape(moves, most, sum),
                moves ? tail : cut,
                (int) (share * 1_000));
    }

    private static RangeLoad.Shape shape(boolean moves, double most, double sum) {
        if (moves) {
            return RangeLoad.Shape.MOVING_TAIL;
        }
        return most > sum * ONE_PARTITION_SHARE
                ? RangeLoad.Shape.ONE_PARTITION
                : RangeLoad.Shape.SPREAD;
    }
}

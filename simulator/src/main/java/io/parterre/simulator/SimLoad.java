package io.parterre.simulator;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.manager.plan.view.RangeLoad;
import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** Operations a second on partitions, and how a leader would report them. */
public final class SimLoad {
    private static final double ONE_PARTITION_SHARE = 0.7;

    /** Keys count as ever later ones if this share of the load is on them. */
    private static final double TAIL_SHARE = 0.8;

    private final TreeMap<Key, Double> byPartition = new TreeMap<>();
    private final TreeSet<Key> tails = new TreeSet<>();
    private double cpuPermillePerOperation;

    public SimLoad asks(Key partition, double operationsPerSecond) {
        byPartition.merge(partition, operationsPerSecond, Double::sum);
        return this;
    }

    /** Adds load on ever later keys, which have reached this key. */
    public SimLoad asksTail(Key at, double operationsPerSecond) {
        tails.add(at);
        return asks(at, operationsPerSecond);
    }

    /** Returns a load that is all on ever later keys, which have reached this key. */
    public static SimLoad tail(Key at, double operationsPerSecond) {
        return new SimLoad().asksTail(at, operationsPerSecond);
    }

    /** Sets the processor time of each operation; negligible by default. */
    public SimLoad takes(Duration each) {
        cpuPermillePerOperation = each.toNanos() / 1e6;
        return this;
    }

    public double total() {
        return byPartition.values().stream().mapToDouble(each -> each).sum();
    }

    /** Returns the load within these bounds, as of a leader that has just been elected. */
    RangeLoad of(KeyRange bounds) {
        NavigableMap<Key, Double> inside =
                byPartition.subMap(bounds.start(), true, bounds.endExclusive(), false);
        double sum = 0;
        double most = 0;
        for (double each : inside.values()) {
            sum += each;
            most = Math.max(most, each);
        }
        Optional<Key> splitPoint = Optional.empty();
        double before = 0;
        double best = 0;
        double share = 0;
        for (Map.Entry<Key, Double> partition : inside.entrySet()) {
            double smaller = Math.min(before, sum - before);
            if (smaller > best) {
                best = smaller;
                splitPoint = Optional.of(partition.getKey());
                share = before / sum;
            }
            before += partition.getValue();
        }
        Optional<Key> tail =
                Optional.ofNullable(tails.lower(bounds.endExclusive())).filter(bounds::contains);
        boolean moves = tail.isPresent() && byPartition.get(tail.get()) >= sum * TAIL_SHARE;
        return new RangeLoad(
                sum / 2,
                sum / 2,
                sum * 1_000,
                0,
                (int) (sum * cpuPermillePerOperation),
                Duration.ZERO,
                shape(moves, most, sum),
                moves ? tail : splitPoint,
                (int) (share * 1_000));
    }

    /** Returns the load after a while, as of a leader whose figures are off by this factor. */
    static RangeLoad seen(RangeLoad asked, Duration observed, double times) {
        return new RangeLoad(
                asked.readsPerSecond() * times,
                asked.writesPerSecond() * times,
                asked.bytesPerSecond() * times,
                0,
                (int) (asked.cpuPermille() * times),
                observed,
                asked.shape(),
                asked.splitPoint(),
                asked.splitPointPermille());
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

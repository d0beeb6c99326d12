package io.parterre.manager.plan.view;

import io.parterre.key.Key;
import io.parterre.manager.plan.policy.Demand;
import java.time.Duration;
import java.util.Optional;

/**
 * What clients ask of a range, as its leader has seen it. Rates fade within seconds.
 *
 * @param refusedPerSecond calls that the range could not keep up with
 * @param cpuPermille time that threads worked for it, in thousandths of one core
 * @param observed for how long this leader has led the range within these bounds
 * @param splitPoint where about half of the load lies on each side; empty: there is no such place
 * @param splitPointPermille share of the load before the split point, in thousandths
 */
public record RangeLoad(
        double readsPerSecond,
        double writesPerSecond,
        double bytesPerSecond,
        double refusedPerSecond,
        int cpuPermille,
        Duration observed,
        Shape shape,
        Optional<Key> splitPoint,
        int splitPointPermille) {
    /** Where in the range the load falls. */
    public enum Shape {
        /** Too few samples to tell. */
        UNKNOWN,
        SPREAD,
        /** Most of it falls on one partition, which no split point can divide. */
        ONE_PARTITION,
        /** It falls on ever later keys: the part with the range's end gets all of it. */
        MOVING_TAIL
    }

    /** Reads and writes. */
    public double operationsPerSecond() {
        return readsPerSecond + writesPerSecond;
    }

    /** Those that were refused as well. */
    public double wantedPerSecond() {
        return operationsPerSecond() + refusedPerSecond;
    }

    /**
     * What it costs the node that leads the range. Refused calls count, but for no more than those
     * that were served: a range that refuses most calls does so for a partition that is asked too
     * much, and a split point does not divide that.
     */
    public Demand demand() {
        double refused = Math.min(refusedPerSecond, operationsPerSecond());
        return new Demand(operationsPerSecond() + refused, cpuPermille);
    }

    /** How much it may become: with all that was refused. */
    public Demand wanted() {
        return new Demand(wantedPerSecond(), cpuPermille);
    }
}

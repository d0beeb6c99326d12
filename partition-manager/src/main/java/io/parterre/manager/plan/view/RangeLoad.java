package io.parterre.manager.plan.view;

import io.parterre.key.Key;
import io.parterre.manager.plan.policy.Demand;
import java.time.Duration;
import java.util.Optional;

/**
 * The load of a range as its leader has measured it. Rates decay within seconds.
 *
 * @param refusedPerSecond calls that were refused because the range could not keep up
 * @param cpuPermille processor time spent on the range, in thousandths of one core
 * @param observed how long this leader has led the range within these bounds
 * @param splitPoint key with about half of the load on each side; empty if there is none
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
        /** Too few samples. */
        UNKNOWN,
        SPREAD,
        /** Most of the load falls on one partition, which no split point can divide. */
        ONE_PARTITION,
        /** The load falls on ever later keys: the last part of the range gets all of it. */
        MOVING_TAIL
    }

    /** Returns reads and writes a second. */
    public double operationsPerSecond() {
        return readsPerSecond + writesPerSecond;
    }

    /** Returns reads, writes and refused calls a second. */
    public double wantedPerSecond() {
        return operationsPerSecond() + refusedPerSecond;
    }

    /**
     * Returns the load on the leading node. Refused calls count at most as much as served ones: a
     * range that refuses most calls does so for one overloaded partition, which a split point does
     * not divide.
     */
    public Demand demand() {
        double refused = Math.min(refusedPerSecond, operationsPerSecond());
        return new Demand(operationsPerSecond() + refused, cpuPermille);
    }

    /** Returns the load that the range may reach, with all refused calls. */
    public Demand wanted() {
        return new Demand(wantedPerSecond(), cpuPermille);
    }
}

package io.parterre.server;

import java.time.Duration;

/**
 * The time for which a process has run without an interruption such as a pause of the machine.
 * Anything that has stood still for longer may have had no chance to move. Immutable and pure:
 * {@link DiskWatch} measures.
 *
 * @param lookedNanos time of the last check
 * @param sinceNanos time of the check before which the process was last kept from running
 */
record Wakefulness(long lookedNanos, long sinceNanos) {
    static Wakefulness at(long nowNanos) {
        return new Wakefulness(nowNanos, nowNanos);
    }

    /**
     * Returns the state after another check.
     *
     * @param gapMax longest time between two checks of a process that runs
     */
    Wakefulness look(Duration gapMax, long nowNanos) {
        return nowNanos - lookedNanos > gapMax.toNanos()
                ? at(nowNanos)
                : new Wakefulness(nowNanos, sinceNanos);
    }

    /** Returns whether the process was kept from running just before the last check. */
    boolean hasJustWoken() {
        return lookedNanos == sinceNanos;
    }

    /**
     * Returns the part of a standstill's age that counts: at most the time without an interruption.
     */
    Duration counted(Duration age) {
        Duration awake = Duration.ofNanos(lookedNanos - sinceNanos);
        return age.compareTo(awake) < 0 ? age : awake;
    }
}

package io.parterre.server;

import java.time.Duration;

/**
 * Since when a process has not been kept from working, as by a pause of the machine: what has stood
 * still for longer may have had no chance to move. Pure: {@link DiskWatch} looks.
 *
 * @param lookedNanos when it was looked last
 * @param sinceNanos the look before which it was kept from working last
 */
record Wakefulness(long lookedNanos, long sinceNanos) {
    static Wakefulness at(long nowNanos) {
        return new Wakefulness(nowNanos, nowNanos);
    }

    /**
     * After another look.
     *
     * @param gapMax time between two looks of a process that works
     */
    Wakefulness look(Duration gapMax, long nowNanos) {
        return nowNanos - lookedNanos > gapMax.toNanos()
                ? at(nowNanos)
                : new Wakefulness(nowNanos, sinceNanos);
    }

    /** Whether it was kept from working just before the last look. */
    boolean hasJustWoken() {
        return lookedNanos == sinceNanos;
    }

    /** What counts of the time that something has stood still. */
    Duration counted(Duration age) {
        Duration awake = Duration.ofNanos(lookedNanos - sinceNanos);
        return age.compareTo(awake) < 0 ? age : awake;
    }
}

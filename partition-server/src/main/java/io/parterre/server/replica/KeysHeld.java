package io.parterre.server.replica;

import io.parterre.key.KeyRange;
import io.parterre.range.RangeDescriptor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Whether a replica's rows are the truth about some keys. */
public enum KeysHeld {
    HELD,
    /** They may be about to go to another range: not to be read until that is known. */
    PENDING,
    /** They are of another range. */
    GONE;

    /**
     * What follows from what a replica is, and what it may be about to lose. Asked in the order of
     * the parameters: once a split is applied, the bounds say so before it is pending no more.
     *
     * @param absorbed whether its range no longer exists
     */
    public static KeysHeld of(
            PendingSplits splitPoint,
            Supplier<RangeDescriptor> range,
            BooleanSupplier absorbed,
            KeyRange keys) {
        if (splitPoint.touches(keys)) {
            return PENDING;
        }
        RangeDescriptor now = range.get();
        if (now.isFrozen() || absorbed.getAsBoolean()) {
            return PENDING;
        }
        return now.bounds().contains(keys) ? HELD : GONE;
    }
}

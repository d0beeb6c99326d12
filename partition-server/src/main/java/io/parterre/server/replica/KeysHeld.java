package io.parterre.server.replica;

import io.parterre.key.KeyRange;
import io.parterre.range.RangeDescriptor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Whether a replica's rows are authoritative for some keys. */
public enum KeysHeld {
    HELD,
    /** The keys may be about to go to another range: not to be read until that is known. */
    PENDING,
    /** The keys belong to another range. */
    GONE;

    /**
     * Decides from a replica's range, and from the keys that it may be about to lose. The
     * parameters are asked in their order: once a split is applied, the bounds change before the
     * split is no longer pending.
     *
     * @param absorbed whether the replica's range no longer exists
     */
    public static KeysHeld of(
            PendingSplits pending,
            Supplier<RangeDescriptor> range,
            BooleanSupplier absorbed,
            KeyRange keys) {
        if (pending.touches(keys)) {
            return PENDING;
        }
        RangeDescriptor now = range.get();
        if (now.isFrozen() || absorbed.getAsBoolean()) {
            return PENDING;
        }
        return now.bounds().contains(keys) ? HELD : GONE;
    }
}

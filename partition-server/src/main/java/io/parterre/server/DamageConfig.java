package io.parterre.server;

import java.time.Duration;

/**
 * Reaction of a node to data that reads differently than it was written. Immutable.
 *
 * @param rebuild whether the node discards damaged data, with a manager's permission, and gets a
 *     new copy from the other members; if false, the node ends, and the operator decides
 * @param scrubBytesPerSecond upper bound of the rate at which data is read to find damage; 0:
 *     nothing is read
 * @param scrubPause time between the end of one scrub of all data and the next
 */
public record DamageConfig(boolean rebuild, long scrubBytesPerSecond, Duration scrubPause) {
    public static final DamageConfig DEFAULT = new DamageConfig(true, 1 << 20, Duration.ofHours(1));

    public DamageConfig {
        if (scrubBytesPerSecond < 0) {
            throw new IllegalArgumentException(
                    "scrubBytesPerSecond: " + scrubBytesPerSecond + " (expected: >= 0)");
        }
        if (scrubPause.isNegative() || scrubPause.isZero()) {
            throw new IllegalArgumentException(
                    "scrubPause: " + scrubPause + " (expected: positive)");
        }
    }

    /**
     * Returns the settings of a node that is alone, because no other node has the data that it
     * would discard.
     */
    public DamageConfig withoutRebuild() {
        return new DamageConfig(false, scrubBytesPerSecond, scrubPause);
    }
}

package io.parterre.server;

import java.time.Duration;

/**
 * What a node does about data that reads differently than it was written.
 *
 * @param rebuild whether it gives it up, on the manager's word, and gets a new copy from the other
 *     members; else it ends, and the operator decides
 * @param scrubBytesPerSecond what is read at most to look for damage; 0: nothing is
 * @param scrubPause between the end of a look at everything and the next
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

    /** Of a node that is alone: nobody has what it would give up. */
    public DamageConfig withoutRebuild() {
        return new DamageConfig(false, scrubBytesPerSecond, scrubPause);
    }
}

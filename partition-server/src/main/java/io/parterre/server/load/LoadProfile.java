package io.parterre.server.load;

import io.parterre.key.Key;
import java.util.Optional;

/**
 * Distribution of the load in a range, and the best split point. Immutable.
 *
 * @param splitPoint start of a partition, strictly inside the range; empty: no split point helps
 * @param splitPointPermille share of the load before the split point, in thousandths; 0 without a
 *     split point
 */
public record LoadProfile(LoadShape shape, Optional<Key> splitPoint, int splitPointPermille) {
    /** Profile of a range with too few samples. */
    public static final LoadProfile UNKNOWN = unsplittable(LoadShape.UNKNOWN);

    static LoadProfile unsplittable(LoadShape shape) {
        return new LoadProfile(shape, Optional.empty(), 0);
    }
}

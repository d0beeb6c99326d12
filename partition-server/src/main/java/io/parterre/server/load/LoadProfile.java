package io.parterre.server.load;

import io.parterre.key.Key;
import java.util.Optional;

/**
 * How the load lies in a range, and where it would be split.
 *
 * @param splitPoint start of a partition, strictly inside the range; empty: there is none that
 *     helps
 * @param splitPointPermille share of the load before the split point, in thousandths; 0 without a
 *     split point
 */
public record LoadProfile(LoadShape shape, Optional<Key> splitPoint, int splitPointPermille) {
    /** Of a range of which too little is known. */
    public static final LoadProfile UNKNOWN = unsplittable(LoadShape.UNKNOWN);

    static LoadProfile unsplittable(LoadShape shape) {
        return new LoadProfile(shape, Optional.empty(), 0);
    }
}

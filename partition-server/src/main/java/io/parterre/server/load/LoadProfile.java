package io.parterre.server.load;

import io.parterre.key.Key;
import java.util.Optional;

/**
 * How the load lies in a range, and where it would be cut.
 *
 * @param cut start of a partition, strictly inside the range; empty: there is none that helps
 * @param cutPermille share of the load before the cut, in thousandths; 0 without a cut
 */
public record LoadProfile(LoadShape shape, Optional<Key> cut, int cutPermille) {
    /** Of a range of which too little is known. */
    public static final LoadProfile UNKNOWN = uncut(LoadShape.UNKNOWN);

    static LoadProfile uncut(LoadShape shape) {
        return new LoadProfile(shape, Optional.empty(), 0);
    }
}

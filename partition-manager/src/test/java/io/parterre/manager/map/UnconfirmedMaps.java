package io.parterre.manager.map;

import io.parterre.range.RangeId;

/** Maps with a range that not all of its members have reported. Stateless. */
public final class UnconfirmedMaps {
    private UnconfirmedMaps() {}

    public static ClusterMap with(ClusterMap map, RangeId rangeId) {
        return map.with(map.operations().withUnconfirmed(rangeId));
    }
}

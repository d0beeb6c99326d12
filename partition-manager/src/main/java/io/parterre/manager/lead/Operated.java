package io.parterre.manager.lead;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.reason.Reason;
import java.util.List;

/**
 * An operator's request was done, or would be.
 *
 * @param effects what it comes to
 * @param map as it is after it
 */
public record Operated(List<Reason> effects, ClusterMap map) {
    public Operated {
        effects = List.copyOf(effects);
    }
}

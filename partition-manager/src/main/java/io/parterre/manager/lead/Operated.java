package io.parterre.manager.lead;

import io.parterre.manager.map.ClusterMap;
import java.util.List;

/**
 * An operator's request was done, or would be.
 *
 * @param effects sentences for people
 * @param map as it is after it
 */
public record Operated(List<String> effects, ClusterMap map) {
    public Operated {
        effects = List.copyOf(effects);
    }
}

package io.parterre.manager.lead;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.reason.Reason;
import java.util.List;

/**
 * An operator's request was carried out or, in a dry run, judged.
 *
 * @param effects of the request
 * @param map the map afterwards
 */
public record Operated(List<Reason> effects, ClusterMap map) {
    public Operated {
        effects = List.copyOf(effects);
    }
}

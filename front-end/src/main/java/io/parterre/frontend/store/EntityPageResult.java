package io.parterre.frontend.store;

import java.util.List;
import java.util.Optional;

/**
 * A page of a query.
 *
 * @param pages entities in order, each array by {@link io.parterre.entity.EntityPage}
 * @param examined stored entities that were examined, including those of the page
 * @param next where the next page starts; empty if there is none. May follow an empty page
 */
public record EntityPageResult(List<byte[]> pages, long examined, Optional<EntityPosition> next) {
    public EntityPageResult {
        pages = List.copyOf(pages);
    }
}

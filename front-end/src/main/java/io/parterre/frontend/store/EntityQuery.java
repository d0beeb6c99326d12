package io.parterre.frontend.store;

import io.parterre.filter.Filter;
import io.parterre.frontend.call.CallMemory;
import java.util.List;
import java.util.Optional;

/**
 * A planned query of one table.
 *
 * @param intervals where matching entities can be: ascending, disjoint; empty if nothing matches
 * @param filter what must still be tested on each entity; {@code Constant.ALL} for nothing
 * @param select custom properties to return; empty: all of them
 * @param top most entities of a page, 1 to 1,000
 * @param from where this page starts; intervals below are done
 * @param memory charged with the entities of the page
 */
public record EntityQuery(
        List<EntityInterval> intervals,
        Filter filter,
        Optional<List<String>> select,
        int top,
        EntityPosition from,
        CallMemory memory) {
    public EntityQuery {
        intervals = List.copyOf(intervals);
        select = select.map(List::copyOf);
    }
}

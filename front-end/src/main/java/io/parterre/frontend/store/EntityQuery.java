package io.parterre.frontend.store;

import io.parterre.filter.Filter;
import io.parterre.frontend.call.CallMemory;
import java.util.List;
import java.util.Optional;

/**
 * A query of one table as it is planned.
 *
 * @param intervals where matching entities can be: ascending, disjoint; none: nothing matches
 * @param filter what is still to be tested on each entity; {@code Constant.ALL} for nothing
 * @param select custom properties to return; empty: all of them
 * @param top entities of a page at most, 1 to 1,000
 * @param from where this page starts; intervals below are done
 * @param memory charged with what comes of the page
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

package io.parterre.frontend.table;

import io.parterre.filter.Filter;
import io.parterre.frontend.store.EntityInterval;
import java.util.List;

/**
 * Intervals that a query must read, and the filter that it must still evaluate there.
 *
 * @param intervals ascending and disjoint; empty if nothing can match
 * @param residual {@code Constant.ALL} if every entity of the intervals matches
 */
public record QueryPlan(List<EntityInterval> intervals, Filter residual) {
    public QueryPlan {
        intervals = List.copyOf(intervals);
    }
}

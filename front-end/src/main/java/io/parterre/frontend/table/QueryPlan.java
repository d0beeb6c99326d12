package io.parterre.frontend.table;

import io.parterre.filter.Filter;
import io.parterre.frontend.store.EntityInterval;
import java.util.List;

/**
 * Where a query has to look, and what it still has to test there.
 *
 * @param intervals ascending and disjoint; none: nothing can match
 * @param residual {@code Constant.ALL} if every entity of the intervals matches
 */
public record QueryPlan(List<EntityInterval> intervals, Filter residual) {
    public QueryPlan {
        intervals = List.copyOf(intervals);
    }
}

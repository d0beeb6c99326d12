package io.parterre.frontend.table;

import io.parterre.entity.EdmType;
import io.parterre.filter.Filter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A subtree of a filter, its number of levels and its type. Chains of {@code and} and {@code or}
 * are flat nodes. Immutable.
 *
 * @param type empty if the term may be of any type
 */
record FilterTerm(Filter filter, int levels, Optional<EdmType> type) {
    private static final Optional<EdmType> BOOLEAN = Optional.of(EdmType.BOOLEAN);

    /** Returns a comparison, or a property or constant in place of one. */
    static FilterTerm leaf(Filter filter, Optional<EdmType> type) {
        return new FilterTerm(filter, 2, type);
    }

    static FilterTerm comparison(Filter filter) {
        return leaf(filter, BOOLEAN);
    }

    static boolean mayBeBoolean(Optional<EdmType> type) {
        return type.isEmpty() || type.equals(BOOLEAN);
    }

    /**
     * Returns the operand of one or more {@code not}. An even number of them cancels out, because
     * the logic has two values.
     *
     * @param oddly whether their number is odd
     */
    FilterTerm negated(boolean oddly) {
        if (!oddly) {
            return new FilterTerm(filter, levels, BOOLEAN);
        }
        return filter instanceof Filter.Not not
                ? new FilterTerm(not.term(), levels - 1, BOOLEAN)
                : new FilterTerm(new Filter.Not(filter), levels + 1, BOOLEAN);
    }

    /** Returns the type of joined terms, or of a single term its own type. */
    static Optional<EdmType> typeOf(List<FilterTerm> terms) {
        return terms.size() == 1 ? terms.get(0).type() : BOOLEAN;
    }

    /**
     * Returns one node for all terms, of which there is at least one; nested nodes of the same kind
     * are flattened.
     */
    static FilterTerm joined(List<FilterTerm> terms, boolean and) {
        if (terms.size() == 1) {
            return terms.get(0);
        }
        List<Filter> flat = new ArrayList<>();
        int levels = 0;
        for (FilterTerm term : terms) {
            if (and && term.filter() instanceof Filter.And inner) {
                flat.addAll(inner.terms());
                levels = Math.max(levels, term.levels() - 1);
            } else if (!and && term.filter() instanceof Filter.Or inner) {
                flat.addAll(inner.terms());
                levels = Math.max(levels, term.levels() - 1);
            } else {
                flat.add(term.filter());
                levels = Math.max(levels, term.levels());
            }
        }
        Filter node = and ? new Filter.And(flat) : new Filter.Or(flat);
        return new FilterTerm(node, levels + 1, BOOLEAN);
    }
}

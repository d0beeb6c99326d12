package io.parterre.frontend.client;

import io.parterre.entity.EdmValue;
import io.parterre.filter.Filter;
import java.util.List;
import java.util.Locale;

/** A filter over table names with its literals in lower case, as names are compared. Pure. */
final class LowerCaseNames implements Filter.Cases<Filter> {
    static String of(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    static Filter in(Filter filter) {
        return filter.match(new LowerCaseNames());
    }

    @Override
    public Filter and(Filter.And and) {
        return new Filter.And(all(and.terms()));
    }

    @Override
    public Filter or(Filter.Or or) {
        return new Filter.Or(all(or.terms()));
    }

    private List<Filter> all(List<Filter> terms) {
        return terms.stream().map(term -> term.match(this)).toList();
    }

    @Override
    public Filter not(Filter.Not not) {
        return new Filter.Not(not.term().match(this));
    }

    @Override
    public Filter comparison(Filter.Comparison comparison) {
        return comparison.literal() instanceof EdmValue.StringValue text
                ? new Filter.Comparison(
                        comparison.property(),
                        comparison.operator(),
                        new EdmValue.StringValue(of(text.value())))
                : comparison;
    }

    @Override
    public Filter truth(Filter.BooleanProperty property) {
        return property;
    }

    @Override
    public Filter constant(Filter.Constant constant) {
        return constant;
    }
}

package io.parterre.frontend.table;

import io.parterre.entity.EdmValue;
import io.parterre.filter.Filter;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * Converts the literals of a filter over table names to lower case, as names are compared. Pure.
 */
public final class LowerCaseNames implements Filter.Cases<Filter> {
    private static final String TABLE_NAME = "TableName";

    private final UnaryOperator<Filter.Comparison> change;

    private LowerCaseNames(UnaryOperator<Filter.Comparison> change) {
        this.change = change;
    }

    public static String of(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    public static Filter in(Filter filter) {
        return filter.match(new LowerCaseNames(LowerCaseNames::inLowerCase));
    }

    /** Returns the filter in terms of the directory's keys: a row's PartitionKey is the name. */
    public static Filter asKeys(Filter filter) {
        return filter.match(new LowerCaseNames(LowerCaseNames::asKey));
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
        return change.apply(comparison);
    }

    private static Filter.Comparison inLowerCase(Filter.Comparison comparison) {
        return comparison.literal() instanceof EdmValue.StringValue text
                ? new Filter.Comparison(
                        comparison.property(),
                        comparison.operator(),
                        new EdmValue.StringValue(of(text.value())))
                : comparison;
    }

    private static Filter.Comparison asKey(Filter.Comparison comparison) {
        return comparison.property().equals(TABLE_NAME)
                ? new Filter.Comparison("PartitionKey", comparison.operator(), comparison.literal())
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

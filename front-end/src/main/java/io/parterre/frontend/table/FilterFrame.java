package io.parterre.frontend.table;

import java.util.ArrayList;
import java.util.List;

/** The terms of a filter between one pair of brackets, as read so far. Not thread-safe. */
final class FilterFrame {
    private final OperandTypes types;
    private final List<FilterTerm> alternatives = new ArrayList<>();
    private List<FilterTerm> conjunction = new ArrayList<>();
    private boolean negated;
    private boolean mustBeBoolean;

    FilterFrame(OperandTypes types) {
        this.types = types;
    }

    void negate() {
        negated = !negated;
        mustBeBoolean = true;
    }

    void add(FilterTerm given) {
        FilterTerm term = mustBeBoolean ? operandOfNot(given) : given;
        if (!conjunction.isEmpty()) {
            types.check(FilterTerm.typeOf(conjunction), term.type(), "And");
        }
        conjunction.add(term);
    }

    private FilterTerm operandOfNot(FilterTerm operand) {
        types.check(operand.type());
        FilterTerm term = operand.negated(negated);
        negated = false;
        mustBeBoolean = false;
        return term;
    }

    void nextAlternative() {
        if (!alternatives.isEmpty()) {
            types.check(FilterTerm.typeOf(alternatives), FilterTerm.typeOf(conjunction), "Or");
        }
        alternatives.add(FilterTerm.joined(conjunction, true));
        conjunction = new ArrayList<>();
    }

    FilterTerm close() {
        nextAlternative();
        return FilterTerm.joined(alternatives, false);
    }
}

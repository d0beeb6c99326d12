package io.parterre.frontend.table;

import io.parterre.entity.EdmValue;
import io.parterre.entity.Ticks;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.filter.Filter;
import io.parterre.filter.Operator;
import io.parterre.frontend.table.FilterToken.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a {@code $filter}. Source: sections 5.2 to 5.4. One per filter; not thread-safe.
 *
 * <p>Brackets open frames on a stack of our own, so that any depth of redundant brackets, which
 * LINQ providers emit, costs no thread's stack. Chains of {@code and} and {@code or} become flat
 * nodes. Only the tree that is left may not be deeper than the limit, since others walk it by
 * recursion.
 */
public final class FilterParser {
    private static final Set<String> ARITHMETIC =
            Set.of("add", "sub", "mul", "div", "mod", "in", "has");

    private final String filter;
    private final FilterLimits limits;
    private final FilterLexer lexer;
    private final Deque<Frame> frames = new ArrayDeque<>();
    private FilterToken token;
    private int comparisons;

    private FilterParser(String filter, FilterLimits limits) {
        this.filter = filter;
        this.limits = limits;
        this.lexer = new FilterLexer(filter);
        this.token = lexer.next();
    }

    /** Reads a filter within the limits by default. */
    public static Filter parse(String filter) {
        return parse(filter, FilterLimits.DEFAULT);
    }

    /**
     * Reads a filter.
     *
     * @throws StorageException {@code INVALID_INPUT} if it is malformed, contains null or is beyond
     *     a limit, {@code NOT_IMPLEMENTED} for functions, arithmetic and comparisons without
     *     exactly one property
     */
    public static Filter parse(String filter, FilterLimits limits) {
        if (filter.length() > limits.charsMax()) {
            throw new StorageException(ErrorCode.INVALID_INPUT);
        }
        return new FilterParser(filter, limits).parse();
    }

    private Filter parse() {
        frames.push(new Frame());
        while (true) {
            readTerm();
            // A term may close any number of brackets.
            while (token.kind() == Kind.CLOSE && frames.size() > 1) {
                advance();
                Depth closed = frames.pop().close();
                frames.element().add(checked(closed));
            }
            if (token.kind() == Kind.END && frames.size() == 1) {
                return checked(frames.pop().close()).filter();
            }
            if (token.isWord("or")) {
                frames.element().nextAlternative();
            } else if (!token.isWord("and")) {
                throw refusal();
            }
            advance();
        }
    }

    /** Opening brackets and negations, then one operand or comparison. */
    private void readTerm() {
        while (true) {
            if (token.isWord("not")) {
                advance();
                frames.element().negate();
            } else if (token.kind() == Kind.OPEN) {
                advance();
                frames.push(new Frame());
            } else {
                frames.element().add(new Depth(comparison(), 2));
                return;
            }
        }
    }

    private Filter comparison() {
        if (++comparisons > limits.comparisonsMax()) {
            throw new StorageException(ErrorCode.INVALID_INPUT);
        }
        FilterToken left = operand();
        Optional<Operator> operator = operator(token);
        if (operator.isEmpty()) {
            return alone(left);
        }
        advance();
        FilterToken right = operand();
        boolean leftIsProperty = left.kind() == Kind.WORD;
        if (leftIsProperty == (right.kind() == Kind.WORD)) {
            throw new StorageException(ErrorCode.NOT_IMPLEMENTED);
        }
        return leftIsProperty
                ? comparison(left.text(), operator.get(), right)
                : comparison(right.text(), operator.get().mirrored(), left);
    }

    private static Filter comparison(String property, Operator operator, FilterToken literal) {
        return switch (literal.kind()) {
            case EARLY_DATE -> outOfRange(property, operator, Ticks.MIN, Operator.GE);
            case LATE_DATE -> outOfRange(property, operator, Ticks.MAX, Operator.LE);
            case LITERAL ->
                    new Filter.Comparison(property, operator, literal.literal().orElseThrow());
            case OPEN, CLOSE, WORD, COMMA, SLASH, END ->
                    throw new IllegalStateException("literal: " + literal);
        };
    }

    /**
     * Compares with a date beyond all stored ones: every DateTime property is on one side of it.
     *
     * @param all the operator that every date fulfils against {@code bound}
     */
    private static Filter outOfRange(String property, Operator operator, long bound, Operator all) {
        EdmValue literal = new EdmValue.DateTimeValue(bound);
        Filter every = new Filter.Comparison(property, all, literal);
        if (operator == Operator.NE) {
            Filter others = new Filter.Comparison(property, Operator.NE, literal);
            return new Filter.Or(List.of(every, others));
        }
        Operator strict = all == Operator.GE ? Operator.GT : Operator.LT;
        Operator none = all == Operator.GE ? Operator.LT : Operator.GT;
        return operator == all || operator == strict
                ? every
                : new Filter.Comparison(property, none, literal);
    }

    /** An operand without a comparison: a property or a Boolean literal. */
    private Filter alone(FilterToken operand) {
        if (operand.kind() == Kind.WORD) {
            return new Filter.BooleanProperty(operand.text());
        }
        if (operand.literal().orElse(null) instanceof EdmValue.BooleanValue constant) {
            return new Filter.Constant(constant.value());
        }
        throw refusal();
    }

    private FilterToken operand() {
        FilterToken operand = token;
        boolean isOperand =
                switch (operand.kind()) {
                    case LITERAL, EARLY_DATE, LATE_DATE -> true;
                    case WORD -> !isReserved(operand.text());
                    case OPEN, CLOSE, COMMA, SLASH, END -> false;
                };
        if (!isOperand) {
            throw FilterLexer.syntaxError(filter, operand.end());
        }
        advance();
        boolean call = token.kind() == Kind.OPEN || token.kind() == Kind.SLASH;
        if (operand.kind() == Kind.WORD && call) {
            throw new StorageException(ErrorCode.NOT_IMPLEMENTED);
        }
        return operand;
    }

    /** What is left over where {@code and}, {@code or} or an end was expected. */
    private StorageException refusal() {
        return token.kind() == Kind.WORD && ARITHMETIC.contains(token.text())
                ? new StorageException(ErrorCode.NOT_IMPLEMENTED)
                : FilterLexer.syntaxError(filter, token.end());
    }

    private static boolean isReserved(String word) {
        return switch (word) {
            case "and", "or", "not", "null", "eq", "ne", "gt", "ge", "lt", "le" -> true;
            default -> false;
        };
    }

    private static Optional<Operator> operator(FilterToken token) {
        if (token.kind() != Kind.WORD) {
            return Optional.empty();
        }
        return switch (token.text()) {
            case "eq" -> Optional.of(Operator.EQ);
            case "ne" -> Optional.of(Operator.NE);
            case "gt" -> Optional.of(Operator.GT);
            case "ge" -> Optional.of(Operator.GE);
            case "lt" -> Optional.of(Operator.LT);
            case "le" -> Optional.of(Operator.LE);
            default -> Optional.empty();
        };
    }

    private void advance() {
        token = lexer.next();
    }

    private Depth checked(Depth tree) {
        if (tree.levels() > limits.levelsMax()) {
            throw new StorageException(ErrorCode.INVALID_INPUT);
        }
        return tree;
    }

    /** A tree and its number of levels. */
    private record Depth(Filter filter, int levels) {}

    /** What stands between a pair of brackets, read so far. */
    private static final class Frame {
        private final List<Depth> alternatives = new ArrayList<>();
        private List<Depth> conjunction = new ArrayList<>();
        private boolean negated;

        /** Twice is not at all: logic has two values. */
        void negate() {
            negated = !negated;
        }

        void add(Depth term) {
            if (negated) {
                negated = false;
                conjunction.add(
                        term.filter() instanceof Filter.Not not
                                ? new Depth(not.term(), term.levels() - 1)
                                : new Depth(new Filter.Not(term.filter()), term.levels() + 1));
            } else {
                conjunction.add(term);
            }
        }

        void nextAlternative() {
            alternatives.add(joined(conjunction, true));
            conjunction = new ArrayList<>();
        }

        Depth close() {
            nextAlternative();
            return joined(alternatives, false);
        }

        /** One node for all terms; those of the same kind are taken apart. */
        private static Depth joined(List<Depth> terms, boolean and) {
            if (terms.size() == 1) {
                return terms.get(0);
            }
            List<Filter> flat = new ArrayList<>();
            int levels = 0;
            for (Depth term : terms) {
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
            return new Depth(and ? new Filter.And(flat) : new Filter.Or(flat), levels + 1);
        }
    }
}

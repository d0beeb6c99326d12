package io.parterre.frontend.table;

import io.parterre.entity.EdmType;
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
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a {@code $filter}. Source: docs/protocol.md 5.2 to 5.4. One per filter; not thread-safe.
 *
 * <p>Operands of {@code and}, {@code or} and {@code not}, and the filter as a whole, must be
 * Boolean as far as their types are declared: those of system properties and literals are, other
 * properties may be of any type. A filter is read to its end before the first such mismatch is
 * refused, as errors of syntax come first. What a comparison compares is not checked: literals of
 * another type are documented to match nothing.
 *
 * <p>Brackets open frames on a stack of our own, so that any depth of redundant brackets, which
 * LINQ providers emit, costs no thread's stack. Chains of {@code and} and {@code or} become flat
 * nodes. Only the tree that is left may not be deeper than the limit, since others walk it by
 * recursion.
 */
public final class FilterParser {
    /** Declared types of the properties of entities. */
    public static final Map<String, EdmType> OF_ENTITIES =
            Map.of(
                    EntityReader.PARTITION_KEY,
                    EdmType.STRING,
                    EntityReader.ROW_KEY,
                    EdmType.STRING,
                    "Timestamp",
                    EdmType.DATE_TIME);

    /** Declared types of the properties of tables. */
    public static final Map<String, EdmType> OF_TABLES = Map.of("TableName", EdmType.STRING);

    private static final Optional<EdmType> BOOLEAN = Optional.of(EdmType.BOOLEAN);

    private static final Set<String> ARITHMETIC =
            Set.of("add", "sub", "mul", "div", "mod", "in", "has");

    private final String filter;
    private final FilterLimits limits;
    private final Map<String, EdmType> declared;
    private final FilterLexer lexer;
    private final Deque<Frame> frames = new ArrayDeque<>();
    private FilterToken token;
    private int comparisons;
    private Optional<StorageException> mismatch = Optional.empty();

    private FilterParser(String filter, FilterLimits limits, Map<String, EdmType> declared) {
        this.filter = filter;
        this.limits = limits;
        this.declared = declared;
        this.lexer = new FilterLexer(filter);
        this.token = lexer.next();
    }

    /** Reads a filter of entities within the limits by default. */
    public static Filter parse(String filter) {
        return parse(filter, FilterLimits.DEFAULT, OF_ENTITIES);
    }

    /**
     * Reads a filter.
     *
     * @param declared types of properties, by name; others may be of any
     * @throws StorageException {@code INVALID_INPUT} if it is malformed, contains null, has an
     *     operand of another type than its operator's or is beyond a limit, {@code NOT_IMPLEMENTED}
     *     for functions, arithmetic and comparisons without exactly one property
     */
    public static Filter parse(String filter, FilterLimits limits, Map<String, EdmType> declared) {
        if (filter.length() > limits.charsMax()) {
            throw new StorageException(ErrorCode.INVALID_INPUT);
        }
        return new FilterParser(filter, limits, declared).parse();
    }

    private Filter parse() {
        frames.push(new Frame());
        while (true) {
            readTerm();
            // A term may close any number of brackets.
            while (token.kind() == Kind.CLOSE && frames.size() > 1) {
                advance();
                Term closed = frames.pop().close();
                frames.element().add(checked(closed));
            }
            if (token.kind() == Kind.END && frames.size() == 1) {
                return whole(checked(frames.pop().close()));
            }
            if (token.isWord("or")) {
                frames.element().nextAlternative();
            } else if (!token.isWord("and")) {
                throw refusal();
            }
            advance();
        }
    }

    private Filter whole(Term term) {
        if (mismatch.isPresent()) {
            throw mismatch.get();
        }
        if (!mayBeBoolean(term.type())) {
            throw new StorageException(
                    ErrorCode.INVALID_INPUT,
                    "The $filter expression must evaluate to a single boolean value.");
        }
        return term.filter();
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
                frames.element().add(comparison());
                return;
            }
        }
    }

    private Term comparison() {
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
        Filter comparison =
                leftIsProperty
                        ? comparison(left.text(), operator.get(), right)
                        : comparison(right.text(), operator.get().mirrored(), left);
        return new Term(comparison, 2, BOOLEAN);
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

    /** An operand without a comparison: a property or a Boolean literal; others are refused. */
    private Term alone(FilterToken operand) {
        if (operand.kind() == Kind.WORD) {
            return new Term(
                    new Filter.BooleanProperty(operand.text()),
                    2,
                    Optional.ofNullable(declared.get(operand.text())));
        }
        EdmType type = operand.literal().map(EdmValue::type).orElse(EdmType.DATE_TIME);
        boolean constant =
                operand.literal().orElse(null) instanceof EdmValue.BooleanValue given
                        && given.value();
        return new Term(new Filter.Constant(constant), 2, Optional.of(type));
    }

    private static boolean mayBeBoolean(Optional<EdmType> type) {
        return type.isEmpty() || type.equals(BOOLEAN);
    }

    private void checkOperand(Optional<EdmType> type) {
        if (mismatch.isEmpty() && !mayBeBoolean(type)) {
            mismatched(
                    "A unary operator with an incompatible type was detected. Found operand type"
                            + " '"
                            + name(type)
                            + "' for operator kind 'Not'.");
        }
    }

    private void checkOperands(Optional<EdmType> left, Optional<EdmType> right, String operator) {
        if (mismatch.isEmpty() && !(mayBeBoolean(left) && mayBeBoolean(right))) {
            mismatched(
                    "A binary operator with incompatible types was detected. Found operand types"
                            + " '"
                            + name(left)
                            + "' and '"
                            + name(right)
                            + "' for operator kind '"
                            + operator
                            + "'.");
        }
    }

    private static String name(Optional<EdmType> type) {
        return type.map(EdmType::wireName).orElse("<null>");
    }

    private void mismatched(String text) {
        mismatch = Optional.of(new StorageException(ErrorCode.INVALID_INPUT, text));
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

    private Term checked(Term tree) {
        if (tree.levels() > limits.levelsMax()) {
            throw new StorageException(ErrorCode.INVALID_INPUT);
        }
        return tree;
    }

    /**
     * A tree, its number of levels and its type.
     *
     * @param type empty if it may be any
     */
    private record Term(Filter filter, int levels, Optional<EdmType> type) {}

    /** What stands between a pair of brackets, read so far. */
    private final class Frame {
        private final List<Term> alternatives = new ArrayList<>();
        private List<Term> conjunction = new ArrayList<>();
        private boolean negated;
        private boolean mustBeBoolean;

        /** Twice is not at all: logic has two values. */
        void negate() {
            negated = !negated;
            mustBeBoolean = true;
        }

        void add(Term given) {
            Term term = mustBeBoolean ? operandOfNot(given) : given;
            if (!conjunction.isEmpty()) {
                checkOperands(typeOf(conjunction), term.type(), "And");
            }
            conjunction.add(term);
        }

        private Term operandOfNot(Term term) {
            checkOperand(term.type());
            boolean negates = negated;
            negated = false;
            mustBeBoolean = false;
            if (!negates) {
                return new Term(term.filter(), term.levels(), BOOLEAN);
            }
            return term.filter() instanceof Filter.Not not
                    ? new Term(not.term(), term.levels() - 1, BOOLEAN)
                    : new Term(new Filter.Not(term.filter()), term.levels() + 1, BOOLEAN);
        }

        void nextAlternative() {
            if (!alternatives.isEmpty()) {
                checkOperands(typeOf(alternatives), typeOf(conjunction), "Or");
            }
            alternatives.add(joined(conjunction, true));
            conjunction = new ArrayList<>();
        }

        Term close() {
            nextAlternative();
            return joined(alternatives, false);
        }

        /** Of several terms that are joined, and of one its own. */
        private Optional<EdmType> typeOf(List<Term> terms) {
            return terms.size() == 1 ? terms.get(0).type() : BOOLEAN;
        }

        /** One node for all terms; those of the same kind are taken apart. */
        private Term joined(List<Term> terms, boolean and) {
            if (terms.size() == 1) {
                return terms.get(0);
            }
            List<Filter> flat = new ArrayList<>();
            int levels = 0;
            for (Term term : terms) {
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
            return new Term(node, levels + 1, BOOLEAN);
        }
    }
}

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
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Parses a {@code $filter}. Source: docs/protocol.md 5.2 to 5.4. One per filter; not thread-safe.
 *
 * <p>{@link OperandTypes} checks the types of operands. The operands of a comparison are not
 * checked, because literals of another type are documented to match nothing.
 *
 * <p>Brackets open frames on a stack of our own, so that any depth of redundant brackets, which
 * LINQ providers emit, needs no thread's stack. Chains of {@code and} and {@code or} become flat
 * nodes. Only the resulting tree may not be deeper than the limit, because other code walks it by
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

    private static final Set<String> ARITHMETIC =
            Set.of("add", "sub", "mul", "div", "mod", "in", "has");

    private final String filter;
    private final FilterLimits limits;
    private final Map<String, EdmType> declared;
    private final FilterLexer lexer;
    private final OperandTypes types = new OperandTypes();
    private final Deque<FilterFrame> frames = new ArrayDeque<>();
    private FilterToken token;
    private int comparisons;

    private FilterParser(String filter, FilterLimits limits, Map<String, EdmType> declared) {
        this.filter = filter;
        this.limits = limits;
        this.declared = declared;
        this.lexer = new FilterLexer(filter);
        this.token = lexer.next();
    }

    /** Parses a filter of entities within the default limits. */
    public static Filter parse(String filter) {
        return parse(filter, FilterLimits.DEFAULT, OF_ENTITIES);
    }

    /**
     * Parses a filter.
     *
     * @param declared types of properties, by name; others may be of any type
     * @throws StorageException {@code INVALID_INPUT} if the filter is malformed, contains null, has
     *     an operand of another type than its operator's or exceeds a limit, {@code
     *     NOT_IMPLEMENTED} for functions, arithmetic and comparisons without exactly one property
     */
    public static Filter parse(String filter, FilterLimits limits, Map<String, EdmType> declared) {
        if (filter.length() > limits.charsMax()) {
            throw new StorageException(ErrorCode.INVALID_INPUT);
        }
        return new FilterParser(filter, limits, declared).parse();
    }

    private Filter parse() {
        frames.push(new FilterFrame(types));
        while (true) {
            readTerm();
            // A term may close any number of brackets.
            while (token.kind() == Kind.CLOSE && frames.size() > 1) {
                advance();
                FilterTerm closed = frames.pop().close();
                frames.element().add(checked(closed));
            }
            if (token.kind() == Kind.END && frames.size() == 1) {
                return types.checked(checked(frames.pop().close()));
            }
            if (token.isWord("or")) {
                frames.element().nextAlternative();
            } else if (!token.isWord("and")) {
                throw refusal();
            }
            advance();
        }
    }

    /** Reads opening brackets and negations, then one operand or comparison. */
    private void readTerm() {
        while (true) {
            if (token.isWord("not")) {
                advance();
                frames.element().negate();
            } else if (token.kind() == Kind.OPEN) {
                advance();
                frames.push(new FilterFrame(types));
            } else {
                frames.element().add(comparison());
                return;
            }
        }
    }

    private FilterTerm comparison() {
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
        return FilterTerm.comparison(comparison);
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
     * Returns a comparison with a date beyond all stored ones: every DateTime property is on one
     * side of it.
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

    /**
     * Returns an operand without a comparison: a property or a Boolean literal; others are refused.
     */
    private FilterTerm alone(FilterToken operand) {
        if (operand.kind() == Kind.WORD) {
            return FilterTerm.leaf(
                    new Filter.BooleanProperty(operand.text()),
                    Optional.ofNullable(declared.get(operand.text())));
        }
        EdmType type = operand.literal().map(EdmValue::type).orElse(EdmType.DATE_TIME);
        boolean constant =
                operand.literal().orElse(null) instanceof EdmValue.BooleanValue given
                        && given.value();
        return FilterTerm.leaf(new Filter.Constant(constant), Optional.of(type));
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

    /** Returns the error for a token where {@code and}, {@code or} or the end was expected. */
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

    private FilterTerm checked(FilterTerm tree) {
        if (tree.levels() > limits.levelsMax()) {
            throw new StorageException(ErrorCode.INVALID_INPUT);
        }
        return tree;
    }
}

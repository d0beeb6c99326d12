package io.parterre.frontend.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.entity.EdmValue;
import io.parterre.entity.Ticks;
import io.parterre.error.StorageException;
import io.parterre.filter.Filter;
import io.parterre.filter.FilterCodec;
import io.parterre.filter.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class FilterParserTest {
    private static Filter.Comparison is(String name, Operator operator, EdmValue value) {
        return new Filter.Comparison(name, operator, value);
    }

    private static EdmValue literal(String text) {
        return ((Filter.Comparison) FilterParser.parse("a eq " + text)).literal();
    }

    private static final Filter A = is("a", Operator.EQ, new EdmValue.Int32Value(1));
    private static final Filter B = is("b", Operator.EQ, new EdmValue.Int32Value(2));
    private static final Filter C = is("c", Operator.EQ, new EdmValue.Int32Value(3));

    @Test
    void andBindsTighterThanOr() {
        assertThat(FilterParser.parse("a eq 1 or b eq 2 and c eq 3"))
                .isEqualTo(new Filter.Or(List.of(A, new Filter.And(List.of(B, C)))));
        assertThat(FilterParser.parse("(a eq 1 or b eq 2) and c eq 3"))
                .isEqualTo(new Filter.And(List.of(new Filter.Or(List.of(A, B)), C)));
    }

    @Test
    void andOrChainsAreFlattened_withAnyBrackets() {
        assertThat(FilterParser.parse("((a eq 1) and (b eq 2)) and (c eq 3)"))
                .isEqualTo(new Filter.And(List.of(A, B, C)));
        assertThat(FilterParser.parse("a eq 1 or (b eq 2 or (c eq 3))"))
                .isEqualTo(new Filter.Or(List.of(A, B, C)));
    }

    @Test
    void notAppliesToNextTermOnly() {
        assertThat(FilterParser.parse("not a eq 1 and b eq 2"))
                .isEqualTo(new Filter.And(List.of(new Filter.Not(A), B)));
        assertThat(FilterParser.parse("not (a eq 1 or b eq 2)"))
                .isEqualTo(new Filter.Not(new Filter.Or(List.of(A, B))));
        assertThat(FilterParser.parse("not(not(a eq 1))")).isEqualTo(A);
    }

    @Test
    void comparisonIsMirrored_whenLiteralIsOnLeft() {
        assertThat(FilterParser.parse("5 lt a"))
                .isEqualTo(is("a", Operator.GT, new EdmValue.Int32Value(5)));
        assertThat(FilterParser.parse("'x' ge a"))
                .isEqualTo(is("a", Operator.LE, new EdmValue.StringValue("x")));
    }

    @Test
    void literalIsParsed_forEveryEdmType() {
        assertThat(literal("'O''Brien & %20 (x)'"))
                .isEqualTo(new EdmValue.StringValue("O'Brien & %20 (x)"));
        assertThat(literal("''")).isEqualTo(new EdmValue.StringValue(""));
        assertThat(literal("-2147483648")).isEqualTo(new EdmValue.Int32Value(-2_147_483_648));
        assertThat(literal("4294967296L")).isEqualTo(new EdmValue.Int64Value(4_294_967_296L));
        assertThat(literal("-5l")).isEqualTo(new EdmValue.Int64Value(-5));
        assertThat(literal("123.45")).isEqualTo(new EdmValue.DoubleValue(123.45));
        assertThat(literal("1e3")).isEqualTo(new EdmValue.DoubleValue(1_000));
        assertThat(literal("-1E-3")).isEqualTo(new EdmValue.DoubleValue(-0.001));
        assertThat(literal("5d")).isEqualTo(new EdmValue.DoubleValue(5));
        assertThat(literal("2.5F")).isEqualTo(new EdmValue.DoubleValue(2.5));
        assertThat(literal("2.5m")).isEqualTo(new EdmValue.DoubleValue(2.5));
        assertThat(literal("NaN")).isEqualTo(new EdmValue.DoubleValue(Double.NaN));
        assertThat(literal("INF")).isEqualTo(new EdmValue.DoubleValue(Double.POSITIVE_INFINITY));
        assertThat(literal("-INF")).isEqualTo(new EdmValue.DoubleValue(Double.NEGATIVE_INFINITY));
        assertThat(literal("true")).isEqualTo(new EdmValue.BooleanValue(true));
        assertThat(literal("datetime'1970-01-01T00:00:00.0000001Z'"))
                .isEqualTo(new EdmValue.DateTimeValue(1));
        assertThat(literal("guid'DEBC44d5-04a9-42ea-ab2f-4e2cb49ff833'"))
                .isEqualTo(
                        new EdmValue.GuidValue(
                                UUID.fromString("debc44d5-04a9-42ea-ab2f-4e2cb49ff833")));
        assertThat(literal("X'01fF'")).isEqualTo(new EdmValue.BinaryValue(new byte[] {1, -1}));
        assertThat(literal("binary''")).isEqualTo(new EdmValue.BinaryValue(new byte[0]));
    }

    @Test
    void literalIsRejected_whenMalformedOrOutOfRange() {
        for (String literal :
                List.of(
                        "2147483648",
                        "9223372036854775808L",
                        "1e999",
                        "1.2.3",
                        "X'123'",
                        "X'zz'",
                        "guid'1'",
                        "datetime'soon'",
                        "time'x'",
                        "-x",
                        "-",
                        "+5",
                        "\"x\"",
                        "null",
                        "5x")) {
            assertThatThrownBy(() -> literal(literal))
                    .as(literal)
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("in 'a eq " + literal);
        }
    }

    @Test
    void bareOperandIsAccepted_whenPropertyOrBoolean() {
        assertThat(FilterParser.parse("IsActive"))
                .isEqualTo(new Filter.BooleanProperty("IsActive"));
        assertThat(FilterParser.parse(" ( true ) ")).isEqualTo(new Filter.Constant(true));
        assertThatThrownBy(() -> FilterParser.parse("5"))
                .hasMessage("The $filter expression must evaluate to a single boolean value.");
    }

    @Test
    void firstMismatchTells_whenOperandsAreDeclaredNonBoolean() {
        assertThatThrownBy(() -> FilterParser.parse("a or (RowKey and b) and not Timestamp or 'x'"))
                .hasMessage(
                        "A binary operator with incompatible types was detected. Found operand"
                                + " types 'Edm.String' and '<null>' for operator kind 'And'.");
        assertThatThrownBy(() -> FilterParser.parse("RowKey and b c"))
                .hasMessage("Syntax error at position 14 in 'RowKey and b c'.");
    }

    @Test
    void propertyOfAnyNameMayStandAlone_whenItIsNotDeclared() {
        FilterLimits limits = FilterLimits.DEFAULT;
        assertThat(FilterParser.parse("PartitionKey", limits, FilterParser.OF_TABLES))
                .isEqualTo(new Filter.BooleanProperty("PartitionKey"));
        assertThat(FilterParser.parse("TableName", limits, FilterParser.OF_ENTITIES))
                .isEqualTo(new Filter.BooleanProperty("TableName"));
        assertThatThrownBy(
                        () -> FilterParser.parse("not TableName", limits, FilterParser.OF_TABLES))
                .isInstanceOf(StorageException.class);
    }

    @Test
    void redundantBracketsAreIgnored_whenNestedDeeply() {
        String filter = "(".repeat(20_000) + "a eq 1" + ")".repeat(20_000);
        assertThat(FilterParser.parse(filter)).isEqualTo(A);
    }

    @Test
    void nestedFilterRoundTripsAt490LevelsAndIsRejectedAt600() {
        Filter filter = FilterParser.parse(alternating(490));
        assertThat(FilterCodec.decode(FilterCodec.encode(filter))).isEqualTo(filter);
        assertThat(new QueryPlanner(1_000).plan(filter).intervals()).hasSize(1);
        assertThatThrownBy(() -> FilterParser.parse(alternating(600)))
                .isInstanceOf(StorageException.class);
    }

    private static String alternating(int levels) {
        StringBuilder filter = new StringBuilder();
        for (int i = 0; i < levels; i++) {
            filter.append(i % 2 == 0 ? "(a eq 1 and " : "(a eq 1 or ");
        }
        return filter + "b eq 2" + ")".repeat(levels);
    }

    @Test
    void filterAcceptsThousandComparisons() {
        List<String> terms = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            terms.add("(RowKey eq '" + i + "')");
        }
        Filter filter = FilterParser.parse(String.join(" or ", terms));
        assertThat(((Filter.Or) filter).terms()).hasSize(1_000);
    }

    @Test
    void propertyNameMayBeNonAscii() {
        assertThat(FilterParser.parse("啊_1 eq 1"))
                .isEqualTo(is("啊_1", Operator.EQ, new EdmValue.Int32Value(1)));
    }

    /** By its offset; no stored date is later than the end of the year 9999. */
    @Test
    void dateComparisonIsDecided_whenLiteralIsLaterThanAnyDate() {
        String late = "datetime'9999-12-31T23:59:59-01:00'";
        EdmValue last = new EdmValue.DateTimeValue(Ticks.MAX);
        Filter every = is("a", Operator.LE, last);
        assertThat(FilterParser.parse("a lt " + late)).isEqualTo(every);
        assertThat(FilterParser.parse("a le " + late)).isEqualTo(every);
        assertThat(FilterParser.parse(late + " gt a")).isEqualTo(every);
        assertThat(FilterParser.parse("a gt " + late)).isEqualTo(is("a", Operator.GT, last));
        assertThat(literal("datetime'9999-12-31T23:59:59-00:00'"))
                .isEqualTo(new EdmValue.DateTimeValue(Ticks.MAX + 1 - Ticks.PER_SECOND));
    }
}

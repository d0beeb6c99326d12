package io.parterre.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.entity.EdmValue;
import io.parterre.entity.EntityCodec;
import io.parterre.entity.EntityView;
import io.parterre.entity.Property;
import io.parterre.entity.Samples;
import io.parterre.key.AccountId;
import io.parterre.key.HostileStrings;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Provide;

class EntityPredicateProperties {
    private static final Scope SCOPE = Scope.ofTable(new AccountId(1), new ObjectId(2));

    /** Few names and values, so that filters meet properties. */
    private static Arbitrary<String> names() {
        return Arbitraries.of("a", "b", "ab", "\u00E9", "PartitionKey", "RowKey", "Timestamp");
    }

    private static Arbitrary<EdmValue> literals() {
        return Arbitraries.oneOf(
                Samples.values(),
                Arbitraries.of("", "p", "q", "\uFFFF", "\uD83D\uDE00")
                        .map(EdmValue.StringValue::new),
                Arbitraries.integers().between(-1, 1).map(EdmValue.Int32Value::new),
                Arbitraries.longs().between(-1, 1).map(EdmValue.Int64Value::new),
                Arbitraries.of(-1.0, -0.0, 0.0, 1.0, Double.NaN).map(EdmValue.DoubleValue::new),
                Arbitraries.longs().between(0, 2).map(EdmValue.DateTimeValue::new));
    }

    @Provide
    Arbitrary<Filter> filters() {
        return filters(3);
    }

    private static Arbitrary<Filter> filters(int depth) {
        Arbitrary<Filter> leaves =
                Arbitraries.oneOf(
                        Combinators.combine(names(), Arbitraries.of(Operator.values()), literals())
                                .as(Filter.Comparison::new),
                        names().map(Filter.BooleanProperty::new),
                        Arbitraries.of(true, false).map(Filter.Constant::new));
        if (depth == 0) {
            return leaves;
        }
        Arbitrary<Filter> terms = filters(depth - 1);
        return Arbitraries.oneOf(
                leaves,
                terms.list().ofMinSize(1).ofMaxSize(3).map(Filter.And::new),
                terms.list().ofMinSize(1).ofMaxSize(3).map(Filter.Or::new),
                terms.map(Filter.Not::new));
    }

    @Provide
    Arbitrary<Row> rows() {
        Arbitrary<List<Property>> properties =
                Combinators.combine(
                                Arbitraries.of("a", "b", "ab", "abc", "\u00E9", "d"), literals())
                        .as(Property::new)
                        .list()
                        .uniqueElements(Property::name);
        Arbitrary<String> keys =
                Arbitraries.oneOf(Arbitraries.of("", "p", "q"), HostileStrings.any());
        return Combinators.combine(keys, keys, Arbitraries.longs().between(0, 2), properties)
                .as(Row::new);
    }

    record Row(String partitionKey, String rowKey, long ticks, List<Property> properties) {
        EntityView view() {
            return EntityView.of(
                    KeyCodec.entity(SCOPE, partitionKey, rowKey),
                    EntityCodec.encodeValue(ticks, EntityCodec.encodeBlock(properties)));
        }

        Optional<EdmValue> value(String name) {
            return switch (name) {
                case "PartitionKey" -> Optional.of(new EdmValue.StringValue(partitionKey));
                case "RowKey" -> Optional.of(new EdmValue.StringValue(rowKey));
                case "Timestamp" -> Optional.of(new EdmValue.DateTimeValue(ticks));
                default ->
                        properties.stream()
                                .filter(property -> property.name().equals(name))
                                .map(Property::value)
                                .findFirst();
            };
        }
    }

    @net.jqwik.api.Property
    void predicateOnStoredBytesMatchesDecodedEvaluation(
            @ForAll("filters") Filter filter, @ForAll("rows") Row row) {
        assertThat(new EntityPredicate(filter).test(row.view())).isEqualTo(holds(filter, row));
    }

    @net.jqwik.api.Property
    void filterDecodeReturnsWhatEncodeWrote(@ForAll("filters") Filter filter) {
        assertThat(FilterCodec.decode(FilterCodec.encode(filter))).isEqualTo(filter);
    }

    @net.jqwik.api.Property
    void filterDecodeReadsOrRejectsCleanly_forRandomBytes(@ForAll byte[] bytes) {
        bytes = bytes.length == 0 ? new byte[] {1} : bytes;
        bytes[0] = 1;
        try {
            FilterCodec.decode(bytes);
        } catch (IllegalArgumentException refused) {
            assertThat(refused).hasMessageMatching("(?s).+: .+");
        }
    }

    @Example
    void eachPropertyFindsItsComparison_whenFilterNamesThousands() {
        List<Filter> comparisons =
                IntStream.range(0, 20_000)
                        .mapToObj(
                                i ->
                                        (Filter)
                                                new Filter.Comparison(
                                                        "n" + i % 7_000,
                                                        Operator.EQ,
                                                        new EdmValue.Int32Value(i)))
                        .toList();
        EntityPredicate any = new EntityPredicate(new Filter.Or(comparisons));
        for (int value : new int[] {0, 6_999, 7_000, 19_999}) {
            String name = "n" + value % 7_000;
            List<Property> properties =
                    List.of(
                            new Property("m", new EdmValue.Int32Value(1)),
                            new Property(name, new EdmValue.Int32Value(value)));
            assertThat(any.test(new Row("p", "r", 0, properties).view())).isTrue();
        }
        assertThat(
                        any.test(
                                new Row(
                                                "p",
                                                "r",
                                                0,
                                                List.of(
                                                        new Property(
                                                                "n1", new EdmValue.Int32Value(2))))
                                        .view()))
                .isFalse();
    }

    @Example
    void comparisonPromotesNumber_whenLiteralTypeIsSmaller() {
        Row row =
                new Row(
                        "p",
                        "r",
                        0,
                        List.of(
                                new Property("i", new EdmValue.Int32Value(64)),
                                new Property("l", new EdmValue.Int64Value(64)),
                                new Property("d", new EdmValue.DoubleValue(64))));
        EdmValue int32 = new EdmValue.Int32Value(64);
        EdmValue int64 = new EdmValue.Int64Value(64);
        EdmValue float64 = new EdmValue.DoubleValue(64);

        assertThat(equalTo(row, "i", int32)).isTrue();
        assertThat(equalTo(row, "i", int64)).isFalse();
        assertThat(equalTo(row, "i", float64)).isFalse();
        assertThat(equalTo(row, "l", int32)).isTrue();
        assertThat(equalTo(row, "l", int64)).isTrue();
        assertThat(equalTo(row, "l", float64)).isFalse();
        assertThat(equalTo(row, "d", int32)).isTrue();
        assertThat(equalTo(row, "d", int64)).isTrue();
        assertThat(equalTo(row, "d", float64)).isTrue();
    }

    @Example
    void comparisonIsFalse_whenPropertyIsAbsent() {
        Row row = new Row("p", "r", 0, List.of());
        for (Operator operator : Operator.values()) {
            Filter comparison =
                    new Filter.Comparison("absent", operator, new EdmValue.Int32Value(1));
            assertThat(new EntityPredicate(comparison).test(row.view())).isFalse();
            assertThat(new EntityPredicate(new Filter.Not(comparison)).test(row.view())).isTrue();
        }
    }

    @Example
    void zeroGuidIsUnequal_whenPropertyIsEmptyTextOrAbsent() {
        EdmValue zero = new EdmValue.GuidValue(new UUID(0, 0));
        assertThat(equalTo(new Row("p", "a", 0, List.of()), "g", zero)).isFalse();
        assertThat(
                        equalTo(
                                new Row(
                                        "p",
                                        "b",
                                        0,
                                        List.of(new Property("g", new EdmValue.StringValue("")))),
                                "g",
                                zero))
                .isFalse();
        assertThat(equalTo(new Row("p", "c", 0, List.of(new Property("g", zero))), "g", zero))
                .isTrue();
    }

    private static boolean equalTo(Row row, String name, EdmValue literal) {
        return new EntityPredicate(new Filter.Comparison(name, Operator.EQ, literal))
                .test(row.view());
    }

    /** The rules of docs/protocol.md 5.4, over decoded values. */
    private static boolean holds(Filter filter, Row row) {
        if (filter instanceof Filter.And and) {
            return and.terms().stream().allMatch(term -> holds(term, row));
        }
        if (filter instanceof Filter.Or or) {
            return or.terms().stream().anyMatch(term -> holds(term, row));
        }
        if (filter instanceof Filter.Not not) {
            return !holds(not.term(), row);
        }
        if (filter instanceof Filter.Constant constant) {
            return constant.value();
        }
        if (filter instanceof Filter.BooleanProperty truth) {
            return row.value(truth.property()).equals(Optional.of(new EdmValue.BooleanValue(true)));
        }
        Filter.Comparison comparison = (Filter.Comparison) filter;
        return row.value(comparison.property())
                .map(stored -> compared(stored, comparison.operator(), comparison.literal()))
                .orElse(false);
    }

    private static boolean compared(EdmValue stored, Operator operator, EdmValue literal) {
        Integer order = null;
        if (stored instanceof EdmValue.StringValue left
                && literal instanceof EdmValue.StringValue right) {
            order = left.value().compareTo(right.value());
        } else if (stored instanceof EdmValue.BooleanValue left
                && literal instanceof EdmValue.BooleanValue right) {
            order = Boolean.compare(left.value(), right.value());
        } else if (stored instanceof EdmValue.DateTimeValue left
                && literal instanceof EdmValue.DateTimeValue right) {
            order = Long.compare(left.ticks(), right.ticks());
        } else if (stored instanceof EdmValue.GuidValue left
                && literal instanceof EdmValue.GuidValue right) {
            order = left.value().toString().compareTo(right.value().toString());
        } else if (stored instanceof EdmValue.BinaryValue left
                && literal instanceof EdmValue.BinaryValue right) {
            order = java.util.Arrays.compareUnsigned(left.value(), right.value());
        } else if (stored instanceof EdmValue.Int32Value left
                && literal instanceof EdmValue.Int32Value right) {
            order = Integer.compare(left.value(), right.value());
        } else if (stored instanceof EdmValue.Int64Value left) {
            if (literal instanceof EdmValue.Int64Value right) {
                order = Long.compare(left.value(), right.value());
            } else if (literal instanceof EdmValue.Int32Value right) {
                order = Long.compare(left.value(), right.value());
            }
        } else if (stored instanceof EdmValue.DoubleValue left) {
            Double right = null;
            if (literal instanceof EdmValue.DoubleValue value) {
                right = value.value();
            } else if (literal instanceof EdmValue.Int64Value value) {
                right = (double) value.value();
            } else if (literal instanceof EdmValue.Int32Value value) {
                right = (double) value.value();
            }
            if (right != null && !Double.isNaN(right) && !Double.isNaN(left.value())) {
                order = left.value() == right ? 0 : left.value() < right ? -1 : 1;
            }
        }
        return order == null ? operator == Operator.NE : operator.holds(order);
    }
}

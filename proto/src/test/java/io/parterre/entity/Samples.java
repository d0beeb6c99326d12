package io.parterre.entity;

import io.parterre.key.HostileStrings;
import java.util.List;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Random values, properties and blocks. */
public final class Samples {
    private Samples() {}

    public static Arbitrary<EdmValue> values() {
        return Arbitraries.oneOf(
                HostileStrings.any().map(EdmValue.StringValue::new),
                Arbitraries.of(true, false).map(EdmValue.BooleanValue::new),
                Arbitraries.integers().map(EdmValue.Int32Value::new),
                Arbitraries.longs().map(EdmValue.Int64Value::new),
                doubles().map(EdmValue.DoubleValue::new),
                Arbitraries.longs().between(Ticks.MIN, Ticks.MAX).map(EdmValue.DateTimeValue::new),
                Combinators.combine(Arbitraries.longs(), Arbitraries.longs())
                        .as((high, low) -> new EdmValue.GuidValue(new UUID(high, low))),
                Arbitraries.bytes()
                        .array(byte[].class)
                        .ofMaxSize(20)
                        .map(EdmValue.BinaryValue::new));
    }

    public static Arbitrary<Double> doubles() {
        return Arbitraries.oneOf(
                Arbitraries.doubles(),
                Arbitraries.of(
                        0.0,
                        -0.0,
                        Double.NaN,
                        Double.POSITIVE_INFINITY,
                        Double.NEGATIVE_INFINITY,
                        Double.MIN_VALUE,
                        Double.MAX_VALUE));
    }

    public static Arbitrary<List<Property>> properties() {
        return Combinators.combine(HostileStrings.any(), values())
                .as(Property::new)
                .list()
                .uniqueElements(Property::name)
                .ofMaxSize(6);
    }
}

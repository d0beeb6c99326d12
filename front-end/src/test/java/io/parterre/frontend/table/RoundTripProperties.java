package io.parterre.frontend.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.entity.ByteSink;
import io.parterre.entity.EdmValue;
import io.parterre.entity.EntityCodec;
import io.parterre.entity.EntityView;
import io.parterre.entity.Property;
import io.parterre.entity.Ticks;
import io.parterre.key.AccountId;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** What we write, clients read back; what they send back, we understand. */
final class RoundTripProperties {
    private static final Scope SCOPE = Scope.ofTable(new AccountId(1), new ObjectId(1));
    private static final ResourceLinks LINKS = new ResourceLinks("http://h/acct", "acct");
    private static final long TICKS = Ticks.parse("2021-05-26T15:48:24.2507202Z").getAsLong();

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.strings().ofMaxLength(12);
    }

    /** Keys may not hold control characters and a few others. */
    @Provide
    Arbitrary<String> keys() {
        return Arbitraries.strings()
                .ofMaxLength(8)
                .map(text -> text.replaceAll("[\\x00-\\x1F\\x7F-\\x9F/\\\\#?]", "'"));
    }

    @Provide
    Arbitrary<List<Property>> properties() {
        Arbitrary<EdmValue> values =
                Arbitraries.oneOf(
                        texts().map(EdmValue.StringValue::new),
                        Arbitraries.of(true, false).map(EdmValue.BooleanValue::new),
                        Arbitraries.integers().map(EdmValue.Int32Value::new),
                        Arbitraries.longs().map(EdmValue.Int64Value::new),
                        Arbitraries.longs()
                                .map(Double::longBitsToDouble)
                                .filter(value -> !Double.isNaN(value))
                                .map(EdmValue.DoubleValue::new),
                        Arbitraries.of(Double.NaN, 0.0, -0.0, 1e15, 123456.75, 1e-5, 1e-6)
                                .map(EdmValue.DoubleValue::new),
                        Arbitraries.longs()
                                .between(Ticks.MIN, Ticks.MAX)
                                .map(EdmValue.DateTimeValue::new),
                        Arbitraries.longs()
                                .map(bits -> new EdmValue.GuidValue(new UUID(bits, ~bits))),
                        Arbitraries.bytes()
                                .array(byte[].class)
                                .ofMaxSize(9)
                                .map(EdmValue.BinaryValue::new));
        return values.list()
                .ofMaxSize(6)
                .map(
                        list -> {
                            List<Property> properties = new ArrayList<>();
                            for (int i = 0; i < list.size(); i++) {
                                properties.add(new Property("p_" + i + "é", list.get(i)));
                            }
                            return properties;
                        });
    }

    @net.jqwik.api.Property(tries = 1_000)
    void entityReaderReturnsWhatEntityWriterWrote(
            @ForAll("keys") String partitionKey,
            @ForAll("keys") String rowKey,
            @ForAll("properties") List<Property> properties,
            @ForAll boolean full) {
        byte[] block = EntityCodec.encodeBlock(properties);
        EntityView view =
                EntityView.of(
                        KeyCodec.entity(SCOPE, partitionKey, rowKey),
                        EntityCodec.encodeValue(TICKS, block));
        EntityJsonWriter writer =
                new EntityJsonWriter(
                        full ? MetadataLevel.FULL : MetadataLevel.MINIMAL,
                        LINKS,
                        "T00",
                        Optional.empty(),
                        16);
        byte[] json = writer.single(view, Optional.empty());
        EntityBody read =
                new EntityReader(EntityLimits.OF_THE_SERVICE).readForInsert(json, 0, json.length);
        assertThat(read.partitionKey()).contains(partitionKey);
        assertThat(read.rowKey()).contains(rowKey);
        assertThat(EntityCodec.decodeBlock(read.block())).isEqualTo(properties);
        assertThat(new String(json, UTF_8)).matches("\\p{ASCII}*");
    }

    @net.jqwik.api.Property(tries = 1_000)
    void entityLinkParsesBackToItsEntity(
            @ForAll("keys") String partitionKey, @ForAll("keys") String rowKey) {
        // A lone surrogate has no UTF-8 form, so no client can address it.
        if (UTF_8.newEncoder().canEncode(partitionKey) && UTF_8.newEncoder().canEncode(rowKey)) {
            String link = LINKS.entity("T00", partitionKey, rowKey);
            assertThat(link).matches("\\p{ASCII}*");
            assertThat(ResourcePath.parse(link.substring(LINKS.baseUrl().length())))
                    .isEqualTo(new Resource.OneEntity("T00", partitionKey, rowKey));
        }
    }

    @net.jqwik.api.Property(tries = 1_000)
    void timeAndETagTextRoundTripToTicks(
            @ForAll @LongRange(min = Ticks.MIN, max = Ticks.MAX) long ticks) {
        JsonSink out = new JsonSink(16);
        ValueText.time(ticks, out, false);
        assertThat(new String(out.toBytes(), UTF_8)).isEqualTo(Ticks.format(ticks));
        assertThat(ETags.parse(ETags.of(ticks)).versionTicks()).hasValue(ticks);
    }

    @Test
    void timeTextIsExact_forMonthAndCenturyBoundaries() {
        for (String time :
                List.of(
                        "1601-01-01T00:00:00Z",
                        "1700-02-28T23:59:59.9999999Z",
                        "1700-03-01T00:00:00Z",
                        "1969-12-31T23:59:59.9999999Z",
                        "2000-02-29T12:30:00.1Z",
                        "2100-02-28T00:00:00Z",
                        "2400-12-31T00:00:00.0000001Z",
                        "9999-12-31T23:59:59.9999999Z")) {
            JsonSink out = new JsonSink(16);
            ValueText.time(Ticks.parse(time).getAsLong(), out, false);
            assertThat(new String(out.toBytes(), UTF_8)).isEqualTo(time);
        }
    }

    @net.jqwik.api.Property(tries = 2_000)
    void doubleTextParsesBackToSameValue(@ForAll double value) {
        JsonSink out = new JsonSink(16);
        ValueText.float64(value, out);
        String text = new String(out.toBytes(), UTF_8);
        assertThat(text).matches("-?[0-9]+\\.[0-9]+|-?[0-9](\\.[0-9]+)?E[+-][0-9]+");
        assertThat(Double.parseDouble(text)).isEqualTo(value);
    }

    @net.jqwik.api.Property(tries = 500)
    void base64NumberAndGuidTextEqualJdkText(
            @ForAll byte[] bytes, @ForAll long number, @ForAll long other) {
        JsonSink out = new JsonSink(16);
        out.base64(bytes, 0, bytes.length);
        assertThat(new String(out.toBytes(), UTF_8))
                .isEqualTo(Base64.getEncoder().encodeToString(bytes));
        out.clear();
        out.number(number);
        assertThat(new String(out.toBytes(), UTF_8)).isEqualTo(Long.toString(number));
        out.clear();
        ValueText.guid(number, other, out);
        assertThat(new String(out.toBytes(), UTF_8)).isEqualTo(new UUID(number, other).toString());
    }

    @Test
    void longTextEqualsJdkText_forExtremeValues() {
        JsonSink out = new JsonSink(16);
        for (long number : new long[] {Long.MIN_VALUE, Long.MAX_VALUE, 0, -1, 9, 10, -100}) {
            out.clear();
            out.number(number);
            assertThat(new String(out.toBytes(), UTF_8)).isEqualTo(Long.toString(number));
        }
    }

    @Test
    void entitySetIsWrittenInOrder_fromSeveralPages() {
        List<byte[]> pages = new ArrayList<>();
        for (int page = 0; page < 3; page++) {
            ByteSink sink = new ByteSink(16);
            for (int row = 0; row < page; row++) {
                EntityView.of(
                                KeyCodec.entity(SCOPE, "p", page + "-" + row),
                                EntityCodec.encodeValue(TICKS, new byte[0]))
                        .copyTo(sink);
            }
            pages.add(sink.toBytes());
        }
        EntityJsonWriter writer =
                new EntityJsonWriter(
                        MetadataLevel.NONE, LINKS, "T00", Optional.of(List.of("RowKey")), 16);
        assertThat(new String(writer.set(pages, Optional.empty()), UTF_8))
                .isEqualTo(
                        "{\"value\":[{\"RowKey\":\"1-0\"},{\"RowKey\":\"2-0\"},"
                                + "{\"RowKey\":\"2-1\"}]}");
    }
}

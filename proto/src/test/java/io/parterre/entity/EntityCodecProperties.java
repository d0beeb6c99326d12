package io.parterre.entity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.key.AccountId;
import io.parterre.key.HostileStrings;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Provide;

class EntityCodecProperties {
    private static final Scope SCOPE = Scope.ofTable(new AccountId(1), new ObjectId(2));

    @Provide
    Arbitrary<String> hostile() {
        return HostileStrings.any();
    }

    @Provide
    Arbitrary<List<Property>> properties() {
        return Samples.properties();
    }

    @net.jqwik.api.Property
    void decodeBlockReturnsWhatEncodeBlockWrote(@ForAll("properties") List<Property> properties) {
        assertThat(EntityCodec.decodeBlock(EntityCodec.encodeBlock(properties)))
                .isEqualTo(properties);
    }

    @net.jqwik.api.Property
    void entityViewReturnsStoredKeysAndProperties(
            @ForAll("hostile") String partitionKey,
            @ForAll("hostile") String rowKey,
            @ForAll long ticks,
            @ForAll("properties") List<Property> properties) {
        EntityView view = view(partitionKey, rowKey, ticks, properties);

        assertThat(view.toEntity()).isEqualTo(new Entity(partitionKey, rowKey, ticks, properties));
    }

    @net.jqwik.api.Property
    void pageDecodeReturnsRowsInWrittenOrder(
            @ForAll("properties") List<Property> first,
            @ForAll("properties") List<Property> second) {
        ByteSink page = new ByteSink(16);
        view("p", "1", 10, first).copyTo(page);
        view("p", "2", 20, second).copyTo(page);

        assertThat(EntityPage.decode(page.toBytes()))
                .containsExactly(new Entity("p", "1", 10, first), new Entity("p", "2", 20, second));
    }

    @net.jqwik.api.Property
    void projectionKeepsOnlySelectedProperties(@ForAll("properties") List<Property> properties) {
        List<String> selected =
                properties.stream().map(Property::name).limit(properties.size() / 2).toList();
        List<String> asked = new ArrayList<>(selected);
        asked.add("absent");
        Projection projection = new Projection(asked);
        ByteSink page = new ByteSink(16);
        projection.copyTo(view("p", "r", 5, properties), page);

        assertThat(EntityPage.decode(page.toBytes()))
                .containsExactly(new Entity("p", "r", 5, properties.subList(0, selected.size())));
    }

    @net.jqwik.api.Property
    void mergeOverwritesPropertiesByNameAndKeepsOthers(
            @ForAll("properties") List<Property> stored,
            @ForAll("properties") List<Property> update) {
        List<Property> merged =
                EntityCodec.decodeBlock(
                        EntityCodec.mergeBlocks(
                                EntityCodec.encodeBlock(stored), EntityCodec.encodeBlock(update)));

        assertThat(merged).containsAll(update);
        List<String> updated = update.stream().map(Property::name).toList();
        List<Property> kept =
                stored.stream().filter(property -> !updated.contains(property.name())).toList();
        assertThat(merged).containsAll(kept).hasSize(update.size() + kept.size());
    }

    @net.jqwik.api.Property
    void decodeBlockReadsOrRejectsCleanly_forRandomBytes(@ForAll byte[] bytes) {
        try {
            EntityCodec.decodeBlock(bytes);
        } catch (IllegalArgumentException refused) {
            assertThat(refused).hasMessageMatching("(?s).+: .+");
        }
    }

    @Example
    void decodeBlockRejectsProperty_whenNameLengthIsNegative() {
        byte tag =
                EntityCodec.encodeBlock(List.of(new Property("a", new EdmValue.Int32Value(1))))[0];
        byte[] bytes = {tag, (byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, 0x08};
        assertThatThrownBy(() -> EntityCodec.decodeBlock(bytes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("property block: ends early");
    }

    /** Bytes of format 1 as first released: every later version has to read them. */
    @Example
    void codecReadsAndWritesEntityOfFirstFormat() {
        byte[] stored =
                HexFormat.of()
                        .parseHex(
                                "01"
                                        + "0000000000000064"
                                        + "01"
                                        + "0153"
                                        + "03"
                                        + "61c3a9"
                                        + "02"
                                        + "0142"
                                        + "01"
                                        + "03"
                                        + "0149"
                                        + "ffffffff"
                                        + "04"
                                        + "014c"
                                        + "7fffffffffffffff"
                                        + "05"
                                        + "0144"
                                        + "3ff8000000000000"
                                        + "06"
                                        + "0154"
                                        + "0000000000000001"
                                        + "07"
                                        + "0147"
                                        + "000102030405060708090a0b0c0d0e0f"
                                        + "08"
                                        + "0158"
                                        + "02"
                                        + "beef");
        Entity entity = EntityView.of(KeyCodec.entity(SCOPE, "p", "r"), stored).toEntity();

        List<Property> expected =
                List.of(
                        new Property("S", new EdmValue.StringValue("a\u00E9")),
                        new Property("B", new EdmValue.BooleanValue(true)),
                        new Property("I", new EdmValue.Int32Value(-1)),
                        new Property("L", new EdmValue.Int64Value(Long.MAX_VALUE)),
                        new Property("D", new EdmValue.DoubleValue(1.5)),
                        new Property("T", new EdmValue.DateTimeValue(1)),
                        new Property(
                                "G",
                                new EdmValue.GuidValue(
                                        UUID.fromString("00010203-0405-0607-0809-0a0b0c0d0e0f"))),
                        new Property(
                                "X",
                                new EdmValue.BinaryValue(new byte[] {(byte) 0xBE, (byte) 0xEF})));
        assertThat(entity).isEqualTo(new Entity("p", "r", 100, expected));
        assertThat(EntityCodec.encodeValue(100, EntityCodec.encodeBlock(expected)))
                .isEqualTo(stored);
    }

    /** A length near the greatest int once overflowed the check of where the block ends. */
    @Example
    void decodeBlockRejectsBytes_whenLengthRunsPastTheBlock() {
        for (String malformed :
                new String[] {
                    "01",
                    "0105",
                    "01ffffffff07",
                    "0101610f",
                    "010161ffffffff07",
                    "0101618080808008",
                    "02016101ff",
                    "03016100"
                }) {
            assertThatThrownBy(() -> EntityCodec.decodeBlock(HexFormat.of().parseHex(malformed)))
                    .as(malformed)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Example
    void entityViewRejectsValue_whenFormatVersionIsUnknown() {
        byte[] newer = EntityCodec.encodeValue(1, new byte[0]);
        newer[0] = 2;
        assertThatThrownBy(() -> EntityView.of(Key.FIRST, newer))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("stored entity: version 2 (expected: 1)");
    }

    /** Worked by hand from the formula. */
    @Example
    void entitySizeFollowsServiceFormula() {
        byte[] block =
                EntityCodec.encodeBlock(
                        List.of(
                                new Property("Name", new EdmValue.StringValue("\uD83D\uDE00!")),
                                new Property("B", new EdmValue.BinaryValue(new byte[3])),
                                new Property("I", new EdmValue.Int32Value(1))));
        // 4 + 2*(2+1) + (8+2*4 + 2*3+4) + (8+2 + 3+4) + (8+2 + 4)
        assertThat(EntitySize.ofBlock("pk", "r", block)).isEqualTo(10 + 26 + 17 + 14);
        assertThat(EntitySize.propertyCount(block)).isEqualTo(3);
    }

    private static EntityView view(
            String partitionKey, String rowKey, long ticks, List<Property> properties) {
        return EntityView.of(
                KeyCodec.entity(SCOPE, partitionKey, rowKey),
                EntityCodec.encodeValue(ticks, EntityCodec.encodeBlock(properties)));
    }
}

package io.parterre.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class KeyCodecProperties {
    private static final Scope SCOPE = Scope.ofTable(new AccountId(7), new ObjectId(9));

    @Provide
    Arbitrary<String> hostile() {
        return HostileStrings.any();
    }

    @Provide
    Arbitrary<Scope> scopes() {
        return Combinators.combine(
                        Arbitraries.of(KeySpace.values()),
                        Arbitraries.longs().greaterOrEqual(1),
                        Arbitraries.longs().greaterOrEqual(1))
                .as(
                        (space, account, id) ->
                                new Scope(space, new AccountId(account), new ObjectId(id)));
    }

    @Property
    void keyTextDecodeReturnsWhatEncodeWrote(@ForAll("hostile") String text) {
        assertThat(KeyText.decode(KeyText.encode(text))).isEqualTo(text);
    }

    @Property
    void encodedKeyTextSortsByCodeUnits(
            @ForAll("hostile") String left, @ForAll("hostile") String right) {
        int bytes = Key.wrap(KeyText.encode(left)).compareTo(Key.wrap(KeyText.encode(right)));
        assertThat(Integer.signum(bytes)).isEqualTo(Integer.signum(left.compareTo(right)));
    }

    @Property
    void encodedKeyTextIsNeverAPrefixOfAnother(
            @ForAll("hostile") String left, @ForAll("hostile") String right) {
        Key encoded = Key.wrap(KeyText.encode(right));
        assertThat(encoded.startsWith(Key.wrap(KeyText.encode(left))))
                .isEqualTo(left.equals(right));
    }

    @Property
    void entityKeyDecodeReturnsWhatEncodeWrote(
            @ForAll("scopes") Scope scope,
            @ForAll("hostile") String partitionKey,
            @ForAll("hostile") String rowKey) {
        Key key = KeyCodec.entity(scope, partitionKey, rowKey);

        assertThat(KeyCodec.decode(key)).isEqualTo(new EntityKey(scope, partitionKey, rowKey));
        assertThat(KeyCodec.scopeOf(key)).isEqualTo(scope);
        assertThat(KeyCodec.partitionPrefix(key))
                .isEqualTo(KeyCodec.partition(scope, partitionKey));
    }

    @Property
    void entityKeysSortByPartitionKeyThenRowKey(
            @ForAll("hostile") String partition1,
            @ForAll("hostile") String row1,
            @ForAll("hostile") String partition2,
            @ForAll("hostile") String row2) {
        int keys =
                KeyCodec.entity(SCOPE, partition1, row1)
                        .compareTo(KeyCodec.entity(SCOPE, partition2, row2));
        int partitions = partition1.compareTo(partition2);
        int expected = partitions != 0 ? partitions : row1.compareTo(row2);
        assertThat(Integer.signum(keys)).isEqualTo(Integer.signum(expected));
    }

    @Property
    void partitionKeyRangeContainsOnlyItsOwnRows(
            @ForAll("hostile") String partition,
            @ForAll("hostile") String otherPartition,
            @ForAll("hostile") String row) {
        KeyRange range = KeyRange.ofPrefix(KeyCodec.partition(SCOPE, partition));

        assertThat(range.contains(KeyCodec.entity(SCOPE, otherPartition, row)))
                .isEqualTo(partition.equals(otherPartition));
    }

    @Property
    void noPartitionKeySortsBetweenTextAndTextWithNul(
            @ForAll("hostile") String text, @ForAll("hostile") String other) {
        Key next = KeyCodec.partition(SCOPE, text + "\0");
        boolean between =
                KeyCodec.partition(SCOPE, text).compareTo(KeyCodec.partition(SCOPE, other)) < 0
                        && KeyCodec.partition(SCOPE, other).compareTo(next) < 0;
        assertThat(between).isFalse();
    }

    @Property
    void keyDecodeReencodesOrRejectsCleanly_forRandomBytes(@ForAll byte[] bytes) {
        try {
            EntityKey decoded = KeyCodec.decode(Key.copyOf(bytes));
            assertThat(KeyCodec.entity(decoded.scope(), decoded.partitionKey(), decoded.rowKey()))
                    .isEqualTo(Key.copyOf(bytes));
        } catch (IllegalArgumentException refused) {
            assertThat(refused).hasMessageMatching("(?s).+: .+");
        }
    }

    @Property
    void afterPrefixSortsBehindEveryKeyWithThatPrefix(
            @ForAll byte[] prefix, @ForAll byte[] suffix) {
        Key key = Key.copyOf(prefix);
        if (prefix.length > 0 && key.compareTo(Key.LAST) < 0) {
            assertThat(key.append(suffix)).isLessThan(key.afterPrefix());
            assertThat(key.next()).isLessThanOrEqualTo(key.append(new byte[] {0}));
        }
    }

    @Example
    void entityKeyStoredFormNeverChanges() {
        Key key = KeyCodec.entity(SCOPE, "a\0\u00E9", "\uD83D\uDE00");

        assertThat(key.toString())
                .isEqualTo(
                        "02"
                                + "0000000000000007"
                                + "0000000000000009"
                                + "61"
                                + "00ff"
                                + "c3a9"
                                + "0001"
                                + "eda0bd"
                                + "edb880"
                                + "0001");
        assertThat(KeyCodec.decode(Key.wrap(HexFormat.of().parseHex(key.toString()))))
                .isEqualTo(new EntityKey(SCOPE, "a\0\u00E9", "\uD83D\uDE00"));
    }

    @Example
    void keyTextDecodeRejectsBytes_whenEncodeNeverWritesThem() {
        for (String malformed :
                new String[] {
                    "",
                    "00",
                    "61",
                    "6100",
                    "610002",
                    "c0800001",
                    "c1bf0001",
                    "e080800001",
                    "e09fbf0001",
                    "f09f98800001",
                    "800001",
                    "c30001",
                    "e0a00001"
                }) {
            assertThatThrownBy(() -> KeyText.decode(HexFormat.of().parseHex(malformed)))
                    .as(malformed)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Example
    void tableDirectorySortsBeforeEntities() {
        AccountId account = new AccountId(Long.MAX_VALUE);
        assertThat(KeyCodec.tableDirectoryRow(account, "zzz")).isLessThan(KeyCodec.scope(SCOPE));
        assertThat(KeyRange.ALL.contains(KeyCodec.scope(SCOPE))).isTrue();
    }

    @Example
    void keyRangeIsRejected_whenEmpty() {
        Key key = KeyCodec.scope(SCOPE);
        assertThatThrownBy(() -> new KeyRange(key, key))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected: below end");
    }
}

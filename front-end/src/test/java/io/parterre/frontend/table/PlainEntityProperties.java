package io.parterre.frontend.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.error.StorageException;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What is read as a plain entity is what the reader of all bodies makes of it. */
final class PlainEntityProperties {
    private static final EntityLimits LIMITS = new EntityLimits(4_096, 5, 12, 16, 40, 8);
    private static final String KEYS = "\"PartitionKey\":\"p\",\"RowKey\":\"r\"";

    private static Optional<EntityBody> plain(String body, EntityLimits limits, boolean sorted) {
        byte[] padded = ("xx" + body + "yyy").getBytes(UTF_8);
        return new PlainEntity(padded, 2, padded.length - 5, limits).read(sorted);
    }

    private static void agrees(String body, boolean sorted) {
        Optional<EntityBody> plain = plain(body, LIMITS, sorted);
        if (plain.isPresent()) {
            byte[] bytes = body.getBytes(UTF_8);
            EntityBody read =
                    new EntityReader(LIMITS).read(JsonObject.parse(bytes, 0, bytes.length), sorted);
            assertThat(plain.get().partitionKey()).isEqualTo(read.partitionKey());
            assertThat(plain.get().rowKey()).isEqualTo(read.rowKey());
            assertThat(plain.get().block()).isEqualTo(read.block());
        }
    }

    @Provide
    Arbitrary<String> members() {
        Arbitrary<String> names =
                Arbitraries.of(
                        "PartitionKey",
                        "RowKey",
                        "Timestamp",
                        "a",
                        "b",
                        "_c9",
                        "9c",
                        "",
                        "a b",
                        "é",
                        "\\u0061",
                        "odata.etag",
                        "abcdefghijklm",
                        "a@odata.type",
                        "b@odata.type",
                        "RowKey@odata.type",
                        "a@odata.etag",
                        "a@b@odata.type");
        Arbitrary<String> values =
                Arbitraries.of(
                        "\"\"",
                        "\"text\"",
                        "\"Edm.String\"",
                        "\"Edm.Int64\"",
                        "\"Edm.Double\"",
                        "\"Edm.Guid\"",
                        "\"Edm.DateTime\"",
                        "\"Edm.Binary\"",
                        "\"Edm.None\"",
                        "\"é\"",
                        "\"\\n\"",
                        "\"\u0001\"",
                        "\"\u007f\"",
                        "\"" + "x".repeat(40) + "\"",
                        "\"" + "x".repeat(41) + "\"",
                        "\"2017-01-05T03:25:45.588957Z\"",
                        "\"0d6f9a1e-6a44-4d3a-9c0b-5cf4a1a0f7e3\"",
                        "\"AQID\"",
                        "\"123\"",
                        "0",
                        "-0",
                        "007",
                        "2147483647",
                        "2147483648",
                        "-2147483648",
                        "9223372036854775808",
                        "1.5",
                        "1.",
                        ".5",
                        "1e3",
                        "1E+400",
                        "1e",
                        "-",
                        "true",
                        "false",
                        "null",
                        "nul",
                        "{}",
                        "[1]");
        return Combinators.combine(names, values).as((n, v) -> "\"" + n + "\":" + v);
    }

    @Provide
    Arbitrary<String> objects() {
        Arbitrary<List<String>> bodies =
                Arbitraries.<String>lazyOf(this::members).list().ofMaxSize(7);
        Arbitrary<String> blanks = Arbitraries.of("", "", "", " ", "\r\n\t", "\u0000", "\ufeff");
        Arbitrary<String> ends = Arbitraries.of("}", "}", "}", "} ", "}x", "", ",}", "]");
        return Combinators.combine(bodies, blanks, ends)
                .as(
                        (members, blank, end) ->
                                blank
                                        + "{"
                                        + blank
                                        + String.join(blank + "," + blank, members)
                                        + end);
    }

    @Property(tries = 5_000)
    void plainReaderAgreesWithFullReader_forRandomObjects(
            @ForAll("objects") String body, @ForAll boolean sorted) {
        agrees(body, sorted);
    }

    @Property(tries = 2_000)
    void plainReaderAgreesWithFullReader_whenKeysArePresent(
            @ForAll("members") String one, @ForAll("members") String other) {
        agrees("{" + KEYS + "," + one + "," + other + "}", false);
        agrees("{" + other + "," + KEYS + "," + one + "}", true);
    }

    @Example
    void plainReaderAcceptsEntity_withMixedPropertyTypes() {
        String body =
                "{"
                        + KEYS
                        + ", \"s\":\"text\", \"t\":true, \"f\":false, \"i\":-5, \"d\":2.5e1,"
                        + " \"n\":null, \"l@odata.type\":\"Edm.Int64\", \"l\":\"7\","
                        + " \"b\":\"AQID\", \"b@odata.type\":\"Edm.Binary\"}";
        for (boolean sorted : new boolean[] {false, true}) {
            EntityBody read = plain(body, EntityLimits.OF_THE_SERVICE, sorted).orElseThrow();
            byte[] bytes = body.getBytes(UTF_8);
            EntityBody expected =
                    new EntityReader(EntityLimits.OF_THE_SERVICE)
                            .read(JsonObject.parse(bytes, 0, bytes.length), sorted);
            assertThat(read.partitionKey()).contains("p");
            assertThat(read.rowKey()).contains("r");
            assertThat(read.block()).isEqualTo(expected.block());
        }
    }

    @Example
    void plainReaderAcceptsEntity_withManyProperties() {
        StringBuilder body = new StringBuilder("{" + KEYS);
        for (int i = 0; i < 100; i++) {
            body.append(",\"n").append(i).append("\":").append(i);
        }
        assertThat(plain(body + "}", EntityLimits.OF_THE_SERVICE, false)).isPresent();
    }

    @Example
    void plainReaderDefersToFullReader_whenEntityIsInvalid() {
        assertThat(plain("{" + KEYS + ",\"a\":1,\"a\":2}", LIMITS, false)).isEmpty();
        assertThat(plain("{" + KEYS + ",\"a\":1e999}", LIMITS, false)).isEmpty();
        assertThat(plain("{" + KEYS + ",\"a-b\":1}", LIMITS, false)).isEmpty();
        assertThat(plain("{" + KEYS + "}", LIMITS, false)).isPresent();
    }

    @Example
    void insertIsRejectedButUpdateAccepted_whenKeyIsMissing() {
        EntityReader reader = new EntityReader(LIMITS);
        byte[] body = "{\"RowKey\":\"r\",\"a\":1}".getBytes(UTF_8);
        assertThat(reader.readForUpdate(body, 0, body.length, "p", "r").rowKey()).contains("r");
        assertThat(
                        org.assertj.core.api.Assertions.catchThrowable(
                                () -> reader.readForInsert(body, 0, body.length)))
                .isInstanceOf(StorageException.class);
    }
}
